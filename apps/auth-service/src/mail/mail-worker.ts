import type { MailTransport } from '@tenantry/service/mail';
import type { Measurement } from '@tenantry/service/metrics';
import { Worker, type BackgroundWork } from '@tenantry/service/work';
import type { Ground } from '../ground/index.ts';
import { openLetter } from './letter.ts';
import { OutboxRepository, type ClaimedMail } from './outbox.repository.ts';
import type { ComposeLetter } from './templates.ts';

interface MailWorkerOptions extends Pick<Ground, 'database' | 'secrets' | 'logger'> {
  readonly compose: ComposeLetter;
  readonly transport: MailTransport;
  /** How long a first attempt is leased for; it may take three quarters of that. */
  readonly leaseSeconds?: number;
  /** With the lease of 60 s doubled each time, up to two hours, the default of 24 is about a day and a half. */
  readonly attemptsMax?: number;
}

/** Sends what is in the outbox: the worker of libs/service on a table of letters that are encrypted and belong to no tenant. */
export class MailWorker implements BackgroundWork {
  readonly measurements: readonly Measurement[];
  readonly #options: MailWorkerOptions;
  readonly #repository = new OutboxRepository();
  readonly #worker: Worker<ClaimedMail>;

  constructor(options: MailWorkerOptions) {
    const { database, logger, transport, leaseSeconds = 60, attemptsMax = 24 } = options;
    const repository = this.#repository;
    const rows = database.unscoped;
    this.#options = options;
    this.#worker = new Worker<ClaimedMail>({
      name: 'mail',
      logger,
      work: (mail) => this.#send(mail),
      concurrency: transport.concurrency,
      leaseSeconds,
      timeoutSeconds: leaseSeconds * 0.75,
      attemptsMax,
      queue: {
        claim: () => repository.claim(rows, leaseSeconds),
        giveUp: ({ id }) => repository.giveUp(rows, id),
        backlog: async () => [{ work: 'mail', ...(await repository.backlog(rows)) }],
      },
    });
    this.measurements = [...this.#worker.measurements, ...transport.measurements];
  }

  start(): void {
    this.#worker.start();
  }

  /** Looks for letters now. */
  wake(): void {
    this.#worker.wake();
  }

  async close(): Promise<void> {
    await this.#worker.close();
    await this.#options.transport.close();
  }

  async #send({ id, template, payload, secretId }: ClaimedMail): Promise<void> {
    const { database, secrets, compose, transport, logger } = this.#options;
    const secret = secrets.find(secretId);
    if (!secret) throw new Error('The letter is encrypted under an AUTH_SECRET that is not configured.');
    const { location } = await transport.send(id, compose(openLetter(payload, id, secret)));
    await this.#repository.markSent(database.unscoped, id);
    logger.info({ mail: id, template, location }, 'mail sent');
  }
}
