import type { Logger } from '@tenantry/service-kit';
import type { AuthDatabase } from '../../database.ts';

/** The database's clock, as this instance follows it: the only one that all instances share. */
export interface DatabaseClock {
  readonly now: () => Date;
  /** Reads it for the first time, and again from then on; a database that is away is asked again later. */
  start(): Promise<void>;
  close(): void;
}

/** What following it needs. */
export interface DatabaseClockOptions {
  readonly database: Pick<AuthDatabase, 'pool'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly intervalMs?: number;
}

interface Answer {
  readonly rows: readonly [{ readonly at: Date }];
}

const standardIntervalMs = 30_000;

/**
 * Follows the database's clock. What one instance revokes another may have issued a moment ago: two clocks of their own,
 * seconds apart, would leave tokens of a demoted member valid. In between, the process's own clock goes on, which never
 * jumps.
 */
export function createDatabaseClock(options: DatabaseClockOptions): DatabaseClock {
  const { database, logger, intervalMs = standardIntervalMs } = options;
  let offsetMs = Date.now() - performance.now();
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    const askedAtMs = performance.now();
    const answer = (await database.pool.query('SELECT clock_timestamp() AS at')) as Answer;
    const midwayMs = (askedAtMs + performance.now()) / 2;
    const [{ at }] = answer.rows;
    offsetMs = at.getTime() - midwayMs;
  }

  const readOrWarn = () =>
    read().catch((error: unknown) => logger.warn({ err: error }, 'the clock of the database cannot be read'));

  return {
    now: () => new Date(performance.now() + offsetMs),
    async start() {
      timer = setInterval(() => void readOrWarn(), intervalMs).unref();
      await readOrWarn();
    },
    close: () => clearInterval(timer),
  };
}
