import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantDatabase } from '@tenantry/tenancy';
import { inTrace } from '@tenantry/tracing';
import { backoffMs } from '../calls/backoff.ts';
import type { Logger } from '../logging/logging.ts';
import type { Measurement } from '../metrics/measurement.ts';
import { EndsRepository } from '../organizations/ends.repository.ts';
import { createPurges } from '../organizations/purges.ts';
import type { PeerConfig } from '../peers/peers.ts';
import { StorageRepository } from '../storage/storage.repository.ts';
import type { BackgroundWork } from '../work/background.ts';
import { Applied } from './apply.ts';
import { Arrivals, copiesBehind, type Arrival, type Behind, type Reading } from './arrivals.ts';
import { readFeed, type FeedPage } from './feed.ts';
import { Outage } from './outage.ts';
import { versionOf, type Projection } from './projection.ts';
import { ReaderRepository, type ReaderState } from './reader.repository.ts';
import { WaitingOrganizations } from './waiting-organizations.ts';

/** Options of {@link EventReader}. */
export interface EventReaderOptions {
  readonly config: PeerConfig;
  readonly database: TenantDatabase;
  readonly logger: Logger;
  /** What the service stores of the events; by default only which organizations have ended. */
  readonly projection?: Projection;
}

const waitSeconds = 5;
/** Minimum interval between polls of a server that does not hold them. */
const pauseMs = 50;
const retry = { firstMs: 250, maxMs: 3_000 };
/** How long a request waits before it looks whether the first reading is complete. */
const incompleteMs = 250;
/** Minimum interval while organizations wait: a first reading does not end before they have been tried again. */
const pauseOfWaitingMs = 250;
const nobody: Behind = new Set<string>();

/**
 * Keeps a projection up to date with the events of auth-service. Each page is applied together with the cursor after it, by one
 * instance at a time: at least once and in order. If auth-service does not know the cursor, everything is read again, and
 * subjects that do not appear again are deleted at the end; until then they stay. Everything is also read again for a
 * projection of a higher version than the stored one.
 *
 * If events of an organization cannot be stored, that organization waits, and the others go on: the cursor keeps its place, so
 * its events are applied later, all of them and in order. Its copies are behind until then.
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
export class EventReader implements BackgroundWork {
  readonly measurements: readonly Measurement[];
  readonly #options: EventReaderOptions;
  readonly #version: number;
  readonly #repository = new ReaderRepository();
  readonly #applied: Applied;
  readonly #purges: ReturnType<typeof createPurges>;
  readonly #arrivals = new Arrivals(() => this.#readOn());
  readonly #ending = new AbortController();
  /** Wakes the callers that wait for the next page. */
  readonly #waiting = new Set<() => void>();
  #isComplete = false;
  /** After the last page that was read here. */
  #behind: Behind = nobody;
  /** The cursor, and since when it has been known here. */
  #position: { readonly cursor: string | null; readonly sinceMs: number } = {
    cursor: null,
    sinceMs: -Infinity,
  };
  #upToDateAtMs = -Infinity;
  readonly #outage = new Outage();
  readonly #waitingOrganizations = new WaitingOrganizations();
  #reading: Promise<void> = Promise.resolve();
  #forgetting: Promise<void> = Promise.resolve();

  constructor(options: EventReaderOptions) {
    const { config, database, logger, projection = {} } = options;
    const ends = new EndsRepository();
    this.#options = options;
    this.#version = versionOf(projection);
    const quotas = new StorageRepository();
    this.#applied = new Applied({ database, projection, repository: this.#repository, ends, quotas });
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
      {
        name: 'tenantry_event_organizations_waiting',
        help: 'Organizations whose events cannot be stored, and that are tried again while others go on',
        type: 'gauge',
        read: () => [{ value: this.#waitingOrganizations.size }],
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
   * Waits until the copies of an organization hold everything that auth-service has committed before this call, so that a request
   * sees earlier changes there, of its caller and of others. Not in a transaction.
   *
   * @throws UPSTREAM_UNAVAILABLE, with Retry-After, if they have not arrived in time or auth-service cannot be asked
   */
  async current(organizationId: string): Promise<void> {
    if ((await this.#arrivals.of(organizationId)) === 'away') throw copiesBehind();
  }

  /**
   * The same for reads that go on while auth-service cannot be asked: nothing can be changed there meanwhile.
   *
   * @throws UPSTREAM_UNAVAILABLE, with Retry-After, if they have not arrived in time
   */
  currentUnlessAway(organizationId: string): Promise<Arrival> {
    return this.#arrivals.of(organizationId);
  }

  /** How long the copies have been as they are, in milliseconds: what a replica may not have yet. */
  get unchangedMs(): number {
    return performance.now() - this.#position.sinceMs;
  }

  async #follow(): Promise<void> {
    const { logger } = this.#options;
    while (!this.#isEnding()) {
      try {
        await inTrace('read events', () => this.#readOnce());
        if (this.#outage.succeeded()) logger.info('the events of auth-service are read again');
      } catch (error) {
        if (this.#isEnding()) return;
        if (this.#outage.failed()) logger.warn({ err: error }, 'the events of auth-service cannot be read');
      }
      const { signal } = this.#ending;
      const { failures } = this.#outage;
      const quietMs = this.#waitingOrganizations.size === 0 ? pauseMs : pauseOfWaitingMs;
      const ms = failures === 0 ? quietMs : backoffMs(failures, retry);
      await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #readOnce(): Promise<void> {
    const { config, logger, database } = this.#options;
    const { unscoped } = database;
    const state = await this.#findState();
    if (state.cursor !== null && state.projection < this.#version) {
      logger.info(
        { version: this.#version },
        'reading the events of auth-service again, to keep more of them',
      );
      await this.#repository.rewind(unscoped, state);
      return;
    }
    const { signal } = this.#ending;
    const later = this.#waitingOrganizations.postponed();
    const page = await readFeed(config, {
      cursor: state.cursor,
      waitSeconds: state.isComplete ? this.#waitingOrganizations.waitSeconds(waitSeconds) : 0,
      later,
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
      this.#behind = page.behind;
    } else if (await this.#apply(state, page, later)) {
      this.#behind = page.behind;
    }
    if (page !== 'unknown' && (page.isEnd || state.isComplete)) this.#upToDateAtMs = performance.now();
    this.#wake();
  }

  /** Reads a page for requests that wait. */
  async #readOn(): Promise<Reading> {
    const { signal } = this.#ending;
    const state = await this.#findState();
    const { cursor } = state;
    // The reader itself begins, and begins again.
    if (!state.isComplete || cursor === null || state.projection < this.#version) return this.#notYet();
    const later = this.#waitingOrganizations.postponed();
    let page: FeedPage | 'unknown';
    try {
      page = await readFeed(this.#options.config, { cursor, waitSeconds: 0, later, signal });
    } catch {
      return this.#found(this.#behind, { isAway: true });
    }
    if (page === 'unknown') return this.#notYet();
    // If another instance was faster, the next reading begins with its state.
    if (!page.isEnd && !(await this.#apply(state, page, later))) return this.#found('all');
    this.#behind = page.behind;
    this.#wake();
    return this.#found(page.behind);
  }

  #found(behind: Behind, { isAway = false } = {}): Reading {
    return { behind, isAway, isWaiting: (organizationId) => this.#waitingOrganizations.has(organizationId) };
  }

  async #notYet(): Promise<Reading> {
    if (!this.#isEnding()) await this.#nextPage(incompleteMs);
    return this.#found('all', { isAway: this.#isEnding() });
  }

  async #findState(): Promise<ReaderState> {
    const state = await this.#repository.find(this.#options.database.unscoped);
    this.#isComplete ||= state.isComplete;
    if (state.cursor !== this.#position.cursor) {
      this.#position = { cursor: state.cursor, sinceMs: performance.now() };
    }
    return state;
  }

  /**
   * Applies a page. Members of organizations that it ends are deleted in the background, one organization after another.
   *
   * @returns false if it is to be read again: another instance was faster, which deletes them, or organizations have to wait
   */
  async #apply(state: ReaderState, page: FeedPage, later: readonly string[]): Promise<boolean> {
    if (!(await this.#applyPage(state, page))) return false;
    for (const organizationId of this.#waitingOrganizations.succeeded(later)) {
      this.#options.logger.info({ organizationId }, 'the events of an organization are stored again');
    }
    // A cursor tells the time as well: it changes where nothing else does.
    const sinceMs = page.events.length > 0 ? performance.now() : this.#position.sinceMs;
    this.#position = { cursor: page.cursor, sinceMs };
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
    return true;
  }

  /** Applies a page, or finds the organizations whose events keep it from being applied. */
  async #applyPage(state: ReaderState, page: FeedPage): Promise<boolean> {
    if (page.unreadable.size > 0) return this.#letWait(page.unreadable);
    try {
      return await this.#applied.page(state, page);
    } catch (error) {
      // Where the database is away, no organization is to blame.
      await this.#findState();
      const failures = await this.#applied.apart(state, page.events);
      if (failures && failures.size === 0) throw error;
      return failures && this.#letWait(failures);
    }
  }

  /** @returns false: the page is to be read again, without them */
  #letWait(failures: ReadonlyMap<string, unknown>): false {
    for (const [organizationId, err] of failures) {
      if (!this.#waitingOrganizations.failed(organizationId)) continue;
      this.#options.logger.warn(
        { organizationId, err },
        'events of an organization cannot be stored: it waits while others go on',
      );
    }
    return false;
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
