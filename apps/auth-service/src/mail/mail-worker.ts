import { Worker } from '@tenantry/outbox';
import type { MailTransport } from '@tenantry/outbox/mail';
import type { Ground } from '../ground/index.ts';
import { openLetter } from './letter-encryption.ts';
import type { ClaimedMail, OutboxRepository } from './outbox.repository.ts';
import type { ComposeLetter } from './templates.ts';

/** What the worker needs. */
export interface MailWorkerOptions extends Pick<Ground, 'database' | 'secrets' | 'logger'> {
  readonly outbox: Pick<OutboxRepository, 'claim' | 'markSent' | 'giveUp' | 'backlog'>;
  readonly compose: ComposeLetter;
  readonly transport: MailTransport;
  /** How long a first attempt is leased for; it may take three quarters of that. */
  readonly leaseSeconds?: number;
  /** With the lease of 60 s doubled each time, up to two hours, the default of 24 is about a day and a half. */
  readonly attemptsMax?: number;
}

/** What sends mail beside the requests. */
export type MailWorker = Pick<Worker<ClaimedMail>, 'start' | 'wake' | 'close' | 'measurements'>;

/** Sends what is in the outbox: the worker of libs/outbox on a table of letters that are encrypted and belong to no tenant. */
export function createMailWorker(options: MailWorkerOptions): MailWorker {
  const { outbox, secrets, compose, transport, logger } = options;
  const { leaseSeconds = 60, attemptsMax = 24 } = options;
  const rows = options.database.unscoped;

  async function send({ id, template, payload, secretId }: ClaimedMail): Promise<void> {
    const secret = secrets.find(secretId);
    if (!secret) throw new Error('The letter is encrypted under an AUTH_SECRET that is not configured.');
    const { location } = await transport.send(id, compose(openLetter(payload, { id, secret })));
    await outbox.markSent(rows, id);
    logger.info({ mail: id, template, location }, 'mail sent');
  }

  const worker = new Worker<ClaimedMail>({
    name: 'mail',
    logger,
    work: send,
    concurrency: transport.concurrency,
    leaseSeconds,
    timeoutSeconds: leaseSeconds * 0.75,
    attemptsMax,
    queue: {
      claim: () => outbox.claim(rows, leaseSeconds),
      giveUp: ({ id }) => outbox.giveUp(rows, id),
      backlog: async () => [{ work: 'mail', ...(await outbox.backlog(rows)) }],
    },
  });
  return {
    start: () => worker.start(),
    wake: () => worker.wake(),
    measurements: [...worker.measurements, ...transport.measurements],
    async close() {
      await worker.close();
      await transport.close();
    },
  };
}
