import type { Logger } from '@tenantry/service/logging';
import type { BackgroundWork } from '@tenantry/service/work';
import type { AuthDatabase } from '../../database.ts';

interface DatabaseClockOptions {
  readonly database: Pick<AuthDatabase, 'pool'>;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Answer {
  readonly rows: readonly [{ readonly at: Date }];
}

const intervalMs = 30_000;

/**
 * The database's clock, which all instances share. One instance may revoke a token that another has just issued: with separate
 * clocks, seconds apart, tokens of a demoted member could stay valid. Between readings, the process's monotonic clock continues
 * it.
 */
export class DatabaseClock implements BackgroundWork {
  readonly #options: DatabaseClockOptions;
  #offsetMs = Date.now() - performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  now(): Date {
    return new Date(performance.now() + this.#offsetMs);
  }

  /** Reads it now and regularly; if the database is down, it is retried. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#readOrWarn(), intervalMs).unref();
    await this.#readOrWarn();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #readOrWarn(): Promise<void> {
    const { database, logger } = this.#options;
    const askedAtMs = performance.now();
    try {
      const answer = (await database.pool.query('SELECT clock_timestamp() AS at')) as Answer;
      const midwayMs = (askedAtMs + performance.now()) / 2;
      this.#offsetMs = answer.rows[0].at.getTime() - midwayMs;
    } catch (error) {
      logger.warn({ err: error }, 'the clock of the database cannot be read');
    }
  }
}
