import { countWork, watchBacklog } from '@tenantry/outbox';
import type { MailTransport } from '@tenantry/outbox/mail';
import type { Measurement } from '@tenantry/service-kit';
import { inTrace } from '@tenantry/tracing';
import type { Ground } from '../ground/index.ts';
import { openLetter } from './letter-encryption.ts';
import type { ClaimedMail, OutboxRepository } from './outbox.repository.ts';
import type { ComposeLetter } from './templates.ts';

/** What the worker needs. */
export interface MailWorkerOptions extends Pick<Ground, 'database' | 'secrets' | 'logger'> {
  readonly outbox: Pick<OutboxRepository, 'claim' | 'markSent' | 'giveUp' | 'backlog'>;
  readonly compose: ComposeLetter;
  readonly transport: MailTransport;
  /** How long a first attempt may take before another instance tries; longer than the transport's time-outs together. */
  readonly leaseSeconds?: number;
  readonly attemptsMax?: number;
}

/** Sends what is in the outbox. */
export interface MailWorker {
  start(): void;
  /** Looks at once: something was put into the outbox. */
  wake(): void;
  readonly measurements: readonly Measurement[];
  /** Resolves once the letters in hand are sent. */
  close(): Promise<void>;
}

/** As the work is called where it is measured. */
const work = 'mail';
const pollIntervalMs = 1_000;
/** With the lease of 60 s doubled each time, up to two hours, this is about a day and a half. */
const standardAttemptsMax = 24;

/** Makes the worker: at least once, in parallel with those of other instances. */
export function createMailWorker(options: MailWorkerOptions): MailWorker {
  const { database, outbox, secrets, compose, transport, logger } = options;
  const { leaseSeconds = 60, attemptsMax = standardAttemptsMax } = options;
  const counts = countWork([work]);
  const backlog = watchBacklog({
    read: async () => [{ work, ...(await outbox.backlog(database.unscoped)) }],
    onFailure: (error) => logger.warn({ err: error }, 'how much mail waits is not known'),
  });
  let working: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function deliver({ id, template, payload, secretId, attempts }: ClaimedMail): Promise<void> {
    try {
      const secret = secrets.find(secretId);
      if (!secret) throw new Error('The letter is encrypted under an AUTH_SECRET that is not configured.');
      const { location } = await transport.send(id, compose(openLetter(payload, { id, secret })));
      await outbox.markSent(database.unscoped, id);
      counts.count(work, 'done');
      logger.info({ mail: id, template, location }, 'mail sent');
    } catch (error) {
      counts.count(work, 'failed');
      logger.warn({ mail: id, template, attempts, err: error }, 'mail not sent');
      if (attempts < attemptsMax) return;
      await outbox.giveUp(database.unscoped, id);
      counts.count(work, 'given_up');
      logger.error({ mail: id, template, attempts }, 'mail given up');
    }
  }

  async function sendAll(): Promise<void> {
    // No more than can be sent at once: what waits in memory would be leased for longer than it takes to be sent.
    const { concurrency: limit } = transport;
    for (let claimed = limit; claimed === limit && !closed;) {
      const letters = await outbox.claim(database.unscoped, { limit, leaseSeconds });
      await Promise.all(letters.map((letter) => inTrace('mail', () => deliver(letter))));
      claimed = letters.length;
    }
  }

  function wake(): void {
    if (closed) return;
    if (working) {
      again = true;
      return;
    }
    working = sendAll()
      .catch((error: unknown) => logger.warn({ err: error }, 'the mail outbox cannot be read'))
      .finally(() => {
        working = undefined;
        if (!again) return;
        again = false;
        wake();
      });
  }

  return {
    start() {
      timer = setInterval(wake, pollIntervalMs).unref();
      backlog.start();
    },
    wake,
    measurements: [...counts.measurements, ...backlog.measurements, ...transport.measurements],
    async close() {
      closed = true;
      clearInterval(timer);
      await backlog.close();
      await working;
      await transport.close();
    },
  };
}
