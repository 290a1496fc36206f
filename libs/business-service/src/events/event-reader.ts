import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Logger } from '@tenantry/service-kit';
import type { TenantDatabase } from '@tenantry/tenancy';
import { inTrace } from '@tenantry/tracing';
import { refuseInTransaction } from '@tenantry/transaction-guard';
import type { BackgroundWork } from '../background.ts';
import { createApplied, type Applied } from './apply.ts';
import { CatchingUp } from './catching-up.ts';
import { createReadFeed, type PeerConfig } from './feed.ts';
import { createEndsRepository } from '../organizations/ends.repository.ts';
import { createPurges } from '../organizations/purges.ts';
import { versionOf, type Projection } from './projection.ts';
import { createReaderRepository } from './reader.repository.ts';

/** What an event reader is made of. */
export interface EventReaderOptions<Client> {
  readonly config: PeerConfig;
  readonly database: TenantDatabase<Client>;
  readonly logger: Logger;
  /** What the service keeps of what it reads; nothing, by default, but which organizations have ended. */
  readonly projection?: Projection<Client>;
}

/** Keeps a projection as auth-service tells it to be. */
export interface EventReader extends BackgroundWork {
  /**
   * Waits until a check holds, which is asked again whenever something was read: how a request that has changed
   * something at auth-service sees its own change.
   *
   * @returns whether it held in time
   */
  until(check: () => Promise<boolean>, withinMs: number): Promise<boolean>;
  /**
   * Reads what auth-service has to tell at this moment: how a request sees what its caller has changed there before, wherever that
   * was. Not in a transaction.
   *
   * @returns whether all of it was read in time; false at once while auth-service is known to be away
   */
  catchUp(withinMs: number): Promise<boolean>;
}

const waitSeconds = 5;
/** A server that does not wait is asked no more often than this. */
const pauseMs = 50;
const retry = { firstMs: 250, maxMs: 3_000 };
/** How many pages are read for those who wait: 500 entries each. */
const catchUpTurnsMax = 20;

/**
 * Makes the reader of auth-service's events. Each page is applied together with the cursor behind it, by one instance
 * at a time: at least once and in order. Without a cursor that auth-service knows it reads everything again, and what
 * does not appear again is forgotten at the end; meanwhile what is known stays. A projection of a higher version than
 * what was read is told everything again as well.
 *
 * An organization that was deleted acts no more: its links open nothing and its due work rests. Once auth-service has purged
 * it, so does the service, whatever tables it has.
 *
 * The service is unready until everything there was has been read once.
 *
 * @example
 * const reader = createEventReader({ config, database, logger, projection: { member: createProfiles() } });
 * return { background: [reader], routes: [] };
 */
export function createEventReader<Client>(options: EventReaderOptions<Client>): EventReader {
  const { config, database, logger, projection = {} } = options;
  const version = versionOf(projection);
  const repository = createReaderRepository();
  const ends = createEndsRepository();
  const applied: Applied = createApplied({ database, projection, repository, ends });
  const purges = createPurges({ config, database, logger, repository: ends });
  const readFeed = createReadFeed(config);
  const ending = new AbortController();
  const { signal } = ending;
  const isEnding = () => signal.aborted;
  const waiting = new Set<() => void>();
  let isComplete = false;
  let upToDateAtMs = -Infinity;
  let failures = 0;
  let reading: Promise<void> = Promise.resolve();

  async function readOnce(): Promise<void> {
    const state = await repository.find(database.unscoped);
    isComplete ||= state.isComplete;
    if (state.cursor !== null && state.projection < version) {
      logger.info({ version }, 'reading the events of auth-service again, to keep more of them');
      await repository.rewind(database.unscoped, state);
      return;
    }
    const wait = state.isComplete ? waitSeconds : 0;
    const page = await readFeed({ cursor: state.cursor, waitSeconds: wait, signal });
    if (page === 'unknown') {
      logger.warn(
        { round: state.round },
        'auth-service does not know the cursor: reading its events again, from the beginning',
      );
      await repository.beginAnew(database.unscoped, state);
    } else if (page.isEnd && !state.isComplete) {
      isComplete = await applied.completion(state, page.cursor);
    } else {
      await applied.page(state, page);
    }
    if (page !== 'unknown' && (page.isEnd || state.isComplete)) upToDateAtMs = performance.now();
    for (const wake of [...waiting]) wake();
  }

  const catchingUp = new CatchingUp(async () => {
    for (let turn = 0; turn < catchUpTurnsMax; turn += 1) {
      const state = await repository.find(database.unscoped);
      if (!state.isComplete || state.cursor === null || isEnding()) return false;
      const page = await readFeed({ cursor: state.cursor, waitSeconds: 0, signal });
      if (page === 'unknown') return false;
      if (page.isEnd) return true;
      // Where another was faster, the next turn sees how far that is.
      await applied.page(state, page);
      for (const wake of [...waiting]) wake();
    }
    return false;
  });

  async function follow(): Promise<void> {
    while (!isEnding()) {
      try {
        await inTrace('read events', readOnce);
        if (failures > 0) logger.info({ failures }, 'the events of auth-service are read again');
        failures = 0;
      } catch (error) {
        if (isEnding()) return;
        failures += 1;
        if (failures === 1) logger.warn({ err: error }, 'the events of auth-service cannot be read');
      }
      await sleep(failures === 0 ? pauseMs : backoffMs(failures, retry), undefined, {
        signal,
        ref: false,
      }).catch(() => undefined);
    }
  }

  /** Resolves at the next page, or when the time is over. */
  function nextPage(leftMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, leftMs);
      waiting.add(end);
      function end(): void {
        clearTimeout(timer);
        waiting.delete(end);
        resolve();
      }
    });
  }

  return {
    start() {
      reading = follow();
      purges.start();
    },
    async close() {
      ending.abort();
      for (const wake of [...waiting]) wake();
      await Promise.all([reading, purges.close()]);
    },
    unreadyBecause: async () =>
      isComplete ? undefined : 'the events of auth-service have not been read yet',
    measurements: [
      {
        name: 'tenantry_event_feed_lag_seconds',
        help: 'Seconds since the copies of members and organizations were last as auth-service has them',
        type: 'gauge',
        read: () => [{ value: (performance.now() - upToDateAtMs) / 1_000 }],
      },
      ...purges.measurements,
    ],
    async catchUp(withinMs) {
      refuseInTransaction('catch up with events');
      return failures === 0 && catchingUp.within(withinMs);
    },
    async until(check, withinMs) {
      const endMs = performance.now() + withinMs;
      for (;;) {
        if (await check()) return true;
        const leftMs = endMs - performance.now();
        if (leftMs <= 0 || signal.aborted) return false;
        await nextPage(leftMs);
      }
    },
  };
}
