import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundWork } from '@tenantry/service';
import { backoffMs, type Logger } from '@tenantry/service-kit';
import type { Measurement } from '@tenantry/service-kit/metrics';
import type { TenantDatabase } from '@tenantry/tenancy';
import { inTrace } from '@tenantry/tracing';
import { refuseInTransaction } from '@tenantry/transaction-guard';
import { Applied } from './apply.ts';
import { CatchingUp } from './catching-up.ts';
import { readFeed, type FeedPage } from './feed.ts';
import { EndsRepository } from '../organizations/ends.repository.ts';
import { createPurges } from '../organizations/purges.ts';
import type { PeerConfig } from '../peers.ts';
import { versionOf, type Projection } from './projection.ts';
import { ReaderRepository, type ReaderState } from './reader.repository.ts';

/** Options of {@link EventReader}. */
export interface EventReaderOptions<Client> {
  readonly config: PeerConfig;
  readonly database: TenantDatabase<Client>;
  readonly logger: Logger;
  /** What the service stores of the events; by default only which organizations have ended. */
  readonly projection?: Projection<Client>;
}

const waitSeconds = 5;
/** Minimum interval between polls of a server that does not hold them. */
const pauseMs = 50;
const retry = { firstMs: 250, maxMs: 3_000 };
/** About three seconds: while services start together, the first attempts fail. */
const failuresOfAnOutage = 5;
/** How many pages are read for waiting requests: 500 entries each. */
const catchUpTurnsMax = 20;

/**
 * Keeps a projection up to date with the events of auth-service. Each page is applied together with the cursor after it, by one
 * instance at a time: at least once and in order. If auth-service does not know the cursor, everything is read again, and
 * subjects that do not appear again are deleted at the end; until then they stay. Everything is also read again for a
 * projection of a higher version than the stored one.
 *
 * An organization that was deleted is suspended: its links open nothing and its due work is paused. Once auth-service has
 * purged it, the service deletes its rows from all tables.
 *
 * The service is unready until everything there was has been read once.
 *
 * @example
 * const reader = new EventReader({ config, database, logger, projection: { member: new Profiles() } });
 * return { background: [reader], routes: [] };
 */
export class EventReader<Client = unknown> implements BackgroundWork {
  readonly measurements: readonly Measurement[];
  readonly #options: EventReaderOptions<Client>;
  readonly #version: number;
  readonly #repository = new ReaderRepository();
  readonly #applied: Applied<Client>;
  readonly #purges: ReturnType<typeof createPurges>;
  readonly #catchingUp = new CatchingUp(() => this.#readToEnd());
  readonly #ending = new AbortController();
  /** Wakes the callers that wait for the next page. */
  readonly #waiting = new Set<() => void>();
  #isComplete = false;
  #upToDateAtMs = -Infinity;
  #failures = 0;
  #reading: Promise<void> = Promise.resolve();
  #forgetting: Promise<void> = Promise.resolve();

  constructor(options: EventReaderOptions<Client>) {
    const { config, database, logger, projection = {} } = options;
    const ends = new EndsRepository();
    this.#options = options;
    this.#version = versionOf(projection);
    this.#applied = new Applied({ database, projection, repository: this.#repository, ends });
    this.#purges = createPurges({
      config,
      database,
      logger,
      repository: ends,
      forgetMembers: (organizationId, signal) => this.#applied.membersOfEnded(organizationId, signal),
    });
    this.measurements = [
      {
        name: 'tenantry_event_feed_lag_seconds',
        help: 'Seconds since the copies of members and organizations were last as auth-service has them',
        type: 'gauge',
        read: () => [{ value: (performance.now() - this.#upToDateAtMs) / 1_000 }],
      },
      ...this.#purges.measurements,
    ];
  }

  start(): void {
    this.#reading = this.#follow();
    this.#purges.start();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    await Promise.all([this.#reading, this.#purges.close()]);
    await this.#forgetting;
  }

  async unreadyBecause(): Promise<string | undefined> {
    return this.#isComplete ? undefined : 'the events of auth-service have not been read yet';
  }

  /**
   * Waits until a check passes, repeating it after every page: a request that has changed something at auth-service sees its
   * own change this way.
   *
   * @returns whether it held in time
   */
  async until(check: () => Promise<boolean>, withinMs: number): Promise<boolean> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      if (await check()) return true;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || this.#isEnding()) return false;
      await this.#nextPage(leftMs);
    }
  }

  /**
   * Reads the feed of auth-service to its current end, so that a request sees earlier changes of its caller there. Not in a
   * transaction.
   *
   * @returns whether the end was reached in time; false immediately while auth-service is known to be down
   */
  async catchUp(withinMs: number): Promise<boolean> {
    refuseInTransaction('catch up with events');
    return this.#failures === 0 && this.#catchingUp.within(withinMs);
  }

  async #follow(): Promise<void> {
    const { logger } = this.#options;
    while (!this.#isEnding()) {
      try {
        await inTrace('read events', () => this.#readOnce());
        if (this.#failures >= failuresOfAnOutage)
          logger.info({ failures: this.#failures }, 'the events of auth-service are read again');
        this.#failures = 0;
      } catch (error) {
        if (this.#isEnding()) return;
        this.#failures += 1;
        if (this.#failures === failuresOfAnOutage)
          logger.warn({ err: error }, 'the events of auth-service cannot be read');
      }
      const { signal } = this.#ending;
      const ms = this.#failures === 0 ? pauseMs : backoffMs(this.#failures, retry);
      await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #readOnce(): Promise<void> {
    const { config, logger, database } = this.#options;
    const { unscoped } = database;
    const state = await this.#repository.find(unscoped);
    this.#isComplete ||= state.isComplete;
    if (state.cursor !== null && state.projection < this.#version) {
      logger.info(
        { version: this.#version },
        'reading the events of auth-service again, to keep more of them',
      );
      await this.#repository.rewind(unscoped, state);
      return;
    }
    const { signal } = this.#ending;
    const page = await readFeed(config, {
      cursor: state.cursor,
      waitSeconds: state.isComplete ? waitSeconds : 0,
      signal,
    });
    if (page === 'unknown') {
      logger.warn(
        { round: state.round },
        'auth-service does not know the cursor: reading its events again, from the beginning',
      );
      await this.#repository.restart(unscoped, state);
    } else if (page.isEnd && !state.isComplete) {
      this.#isComplete = await this.#applied.completion(state, page.cursor);
    } else {
      await this.#apply(state, page);
    }
    if (page !== 'unknown' && (page.isEnd || state.isComplete)) this.#upToDateAtMs = performance.now();
    this.#wake();
  }

  async #readToEnd(): Promise<boolean> {
    const { config, database } = this.#options;
    const { signal } = this.#ending;
    for (let turn = 0; turn < catchUpTurnsMax; turn += 1) {
      const state = await this.#repository.find(database.unscoped);
      if (!state.isComplete || state.cursor === null || this.#isEnding()) return false;
      const page = await readFeed(config, { cursor: state.cursor, waitSeconds: 0, signal });
      if (page === 'unknown') return false;
      if (page.isEnd) return true;
      // If another instance was faster, the next iteration reads its state.
      await this.#apply(state, page);
      this.#wake();
    }
    return false;
  }

  /** Applies a page. Members of organizations that it ends are deleted in the background, one organization after another. */
  async #apply(state: ReaderState, page: FeedPage): Promise<void> {
    // The instance that was faster deletes them.
    if (!(await this.#applied.page(state, page))) return;
    const { signal } = this.#ending;
    for (const { type, organizationId } of page.events) {
      if (type !== 'organization.deleted') continue;
      this.#forgetting = this.#forgetting
        .then(() => this.#applied.membersOfEnded(organizationId, signal))
        // The purges do so again once a day.
        .catch((error: unknown) =>
          this.#options.logger.warn({ err: error }, 'the members of a deleted organization are still known'),
        );
    }
  }

  /** Resolves after the next page or the timeout. */
  #nextPage(leftMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, leftMs);
      this.#waiting.add(end);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }
}
