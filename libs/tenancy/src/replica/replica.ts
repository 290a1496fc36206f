import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolConfig } from 'pg';
import { TenantPool, type TenantPoolOptions } from '../pool.ts';
import { assertPoolerFits, PoolerError } from '../pooler.ts';
import { readable, type Answer, type Query } from '../protocol/query.ts';
import type { Binding } from '../scope.ts';
import { positionIn, tokenOf } from './consistency-token.ts';
import { PrimaryClock } from './primary-clock.ts';
import { stateIn, whereIsReplica, type ReplicaState } from './replica-server.ts';

/** How long anything may take there, in milliseconds: short enough to leave the primary time to respond instead. */
export const replicaTimeouts = {
  connectMs: 500,
  statementMs: 3_000,
  answerMs: 3_500,
  /** One look at either server, and connecting for it. */
  watchMs: 1_000,
};

/** Options of {@link Replica}. */
export interface ReplicaOptions {
  /** The address of one replica or several, for the same role as that of the primary. */
  readonly connectionString: string;
  /** Called when the replica is no longer used, with the reason, and when it is used again. */
  readonly onChange?: (reason: Error | undefined) => void;
  /** Default: {@link replicaTimeouts}. */
  readonly replicaTimeouts?: typeof replicaTimeouts;
  /** A monotonic clock, in milliseconds; by default the process's. */
  readonly now?: () => number;
}

/**
 * The outcome of a read that a replica may serve: served there, or by the primary because the replica was `away`, `lagging`,
 * `behind` the write that has to be seen, or `failed`.
 */
export type ReplicaOutcome = 'answered' | 'away' | 'lagging' | 'behind' | 'failed';

const lagMsMax = 1_000;
const watchEveryMs = 250;
const restMsMax = 5_000;
const serversMax = 16;
/** A position that no replica has reached: a client that sends this token reads from the primary. */
const unknownPosition = 'primary';

/** A replica of the primary, for reads that may be a second old. */
export class Replica {
  readonly pool: TenantPool;
  readonly outcomes: Record<ReplicaOutcome, number> = {
    answered: 0,
    away: 0,
    lagging: 0,
    behind: 0,
    failed: 0,
  };
  readonly #onChange: (reason: Error | undefined) => void;
  readonly #now: () => number;
  readonly #primaryWatch: pg.Pool;
  readonly #replicaWatch: pg.Pool;
  readonly #clock: PrimaryClock;
  readonly #servers = new FollowingServers();
  readonly #ending = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #poolerFits = false;
  /** What it has replayed; undefined while it is passed over. */
  #replayed: bigint | undefined;
  #isAway = false;

  constructor(
    primary: TenantPool,
    {
      onChange = () => undefined,
      now = () => performance.now(),
      ...options
    }: ReplicaOptions & TenantPoolOptions,
  ) {
    const { timings, timeouts } = primary;
    const { watchMs, ...readTimeouts } = options.replicaTimeouts ?? replicaTimeouts;
    this.pool = new TenantPool({
      ...options,
      timings,
      timeouts: { ...timeouts, ...readTimeouts },
      readOnly: true,
    });
    this.#onChange = onChange;
    this.#now = now;
    this.#primaryWatch = watchBy(primary.options, watchMs);
    this.#replicaWatch = watchBy(this.pool.options, watchMs);
    this.#clock = new PrimaryClock(this.#primaryWatch, now);
  }

  /** The lag of the replica in milliseconds; Infinity if unknown. */
  get lagMs(): number {
    return this.#replayed === undefined ? Infinity : this.#ageAt(this.#now(), this.#replayed);
  }

  /** Starts to watch it. Until then nothing is read from it. @throws {PoolerError} if it is behind an unsuitable pooler. */
  async start(): Promise<void> {
    await this.#look().catch((error: unknown) => {
      if (error instanceof PoolerError) throw error;
    });
    this.#watching = this.#watch();
  }

  /** Runs statements there, in one exchange, and returns the result of the last; undefined if the primary has to serve them. */
  async query(binding: Binding, queries: readonly Query[], token?: string): Promise<Answer | undefined> {
    const askedAt = this.#now();
    const against = this.#reasonAgainst(this.#replayed, token, askedAt);
    if (against) {
      this.outcomes[against] += 1;
      return undefined;
    }
    try {
      // The responding server counts: behind one address there may be several.
      const answers = await this.pool.run(binding, [
        whereIsReplica(this.#servers.in(this.#clock.history)),
        ...queries,
      ]);
      const [state, answer] = [answers[0], answers.at(-1)].map(readable) as [Answer, Answer];
      const lsn = this.#servers.replayedBy(stateIn(state), this.#clock.history);
      const outcome = this.#reasonAgainst(lsn, token, askedAt) ?? 'answered';
      this.outcomes[outcome] += 1;
      if (this.#replayed !== undefined && lsn > this.#replayed) this.#replayed = lsn;
      return outcome === 'answered' ? answer : undefined;
    } catch {
      // Whatever the error, the primary runs the statement, and reports what is wrong if it fails too.
      this.outcomes.failed += 1;
      return undefined;
    }
  }

  /** The token that a client sends back so that its reads include everything committed before this call. */
  token(): Promise<string> {
    return this.#clock.read().then(tokenOf, () => unknownPosition);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#ending.abort();
    await this.#watching;
    await Promise.all([this.#primaryWatch, this.#replicaWatch, this.pool].map(async (each) => each.end()));
  }

  async #watch(): Promise<void> {
    for (let waitMs = watchEveryMs; await waited(waitMs, this.#ending.signal);) {
      waitMs = await this.#look().then(
        () => watchEveryMs,
        () => Math.min(2 * waitMs, restMsMax),
      );
    }
  }

  /** Checks both servers once. */
  async #look(): Promise<void> {
    await this.#clock.read();
    try {
      if (!this.#poolerFits) await assertPoolerFits(this.pool, 'DATABASE_REPLICA_URL');
      this.#poolerFits = true;
      const state = await this.#replicaWatch.query(whereIsReplica(this.#servers.in(this.#clock.history)));
      this.#replayed = this.#servers.replayedBy(stateIn(state), this.#clock.history);
    } catch (error) {
      this.#rest(error as Error);
      throw error;
    }
    if (this.#isAway) this.#onChange(undefined);
    this.#isAway = false;
  }

  #rest(reason: Error): void {
    this.#replayed = undefined;
    if (this.#isAway) return;
    this.#isAway = true;
    this.#onChange(reason);
  }

  #reasonAgainst(lsn: bigint | undefined, token: string | undefined, now: number) {
    if (lsn === undefined) return 'away';
    if (this.#ageAt(now, lsn) > lagMsMax) return 'lagging';
    if (token !== undefined && !this.#shows(token, lsn)) return 'behind';
    return undefined;
  }

  /** Whether the replica has replayed the position in the token. */
  #shows(token: string, lsn: bigint): boolean {
    const position = positionIn(token);
    return position !== undefined && position.history === this.#clock.history && position.lsn <= lsn;
  }

  #ageAt(moment: number, lsn: bigint): number {
    return moment - (this.#clock.reachedAt(lsn) ?? -Infinity);
  }
}

/** The servers behind a replica's address that follow the primary's current history. */
class FollowingServers {
  #history: string | undefined;
  #servers: readonly string[] = [];

  in(history: string | undefined): readonly string[] {
    return this.#history === history ? this.#servers : [];
  }

  /** How far a replica has replayed the primary's current history. */
  replayedBy({ isRecovering, server, history, lsn }: ReplicaState, current: string | undefined): bigint {
    if (!isRecovering) throw new Error('it is no replica, or one that was promoted');
    if (history === undefined) return lsn;
    if (history !== current) throw new Error('it follows another history than the primary');
    this.#servers = [server, ...this.in(current)].slice(0, serversMax);
    this.#history = history;
    return lsn;
  }
}

/** Resolves to true after the time, to false if the signal comes first. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false);

/** A connection beside a pool, which is not waited for when the pool is busy. */
function watchBy(options: PoolConfig, timeoutMs: number): pg.Pool {
  const timeouts = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const watched = new pg.Pool({ ...options, ...timeouts, max: 1 });
  watched.on('error', () => undefined);
  watched.on('connect', (client) => client.on('error', () => undefined));
  return watched;
}
