import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolConfig } from 'pg';
import { TenantPool, type TenantPoolOptions } from '../pool.ts';
import { assertPoolerFits, PoolerError } from '../pooler.ts';
import { readable, type Answer, type Query } from '../protocol/query.ts';
import type { Binding } from '../scope.ts';
import { positionIn, tokenOf } from './consistency-token.ts';
import { PrimaryClock } from './primary-clock.ts';
import { stateIn, whereIsReplica, type ReplicaState } from './replica-server.ts';

/** What is told to those who read it, and how often. */
export interface ReplicaOptions {
  /** The address of one replica or several, for the same role as that of the primary. */
  readonly connectionString: string;
  /** Called when the replica is passed over from now on, with the reason, and when it is in use again. */
  readonly onChange?: (reason: Error | undefined) => void;
}

/**
 * How a read that a replica may answer came out: answered there, or by the primary, because the replica was `away`,
 * `lagging`, `behind` the write that has to be seen, or `failed` to answer it.
 */
export type ReplicaOutcome = 'answered' | 'away' | 'lagging' | 'behind' | 'failed';

const lagMsMax = 1_000;
const watchEveryMs = 250;
const restMsMax = 5_000;
/** Of the connections on which both servers are watched. */
const watchTimeouts = { connectionTimeoutMillis: 1_000, query_timeout: 1_000 };
/** The primary must have the time to answer what the replica has not. */
const readTimeouts = { connectMs: 500, statementMs: 3_000, answerMs: 3_500 };
const serversMax = 16;
/** A token that no replica has reached: a client that sends it reads from the primary. */
const unknownPosition = 'primary';

/** A replica beside its primary, which answers reads that may be a second old. */
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
    { onChange = () => undefined, ...options }: ReplicaOptions & TenantPoolOptions,
  ) {
    const { timings, timeouts } = primary;
    this.pool = new TenantPool({
      ...options,
      timings,
      timeouts: { ...timeouts, ...readTimeouts },
      readOnly: true,
    });
    this.#onChange = onChange;
    this.#primaryWatch = watchBy(primary.options);
    this.#replicaWatch = watchBy(this.pool.options);
    this.#clock = new PrimaryClock(this.#primaryWatch);
  }

  /** How many milliseconds ago the primary was last where the replica is; Infinity before that is known. */
  get lagMs(): number {
    return this.#replayed === undefined ? Infinity : this.#ageAt(performance.now(), this.#replayed);
  }

  /** Begins to watch it. Until then nothing is read from it. @throws {PoolerError} where what it is behind does not fit. */
  async start(): Promise<void> {
    await this.#look().catch((error: unknown) => {
      if (error instanceof PoolerError) throw error;
    });
    this.#watching = this.#watch();
  }

  /** Runs statements there, in one exchange, and gives the answer to the last; undefined where the primary has to. */
  async query(binding: Binding, queries: readonly Query[], token?: string): Promise<Answer | undefined> {
    const askedAt = performance.now();
    const against = this.#reasonAgainst(this.#replayed, token, askedAt);
    if (against) {
      this.outcomes[against] += 1;
      return undefined;
    }
    try {
      // It is the server that answers that counts, and behind one address there may be several.
      const answers = await this.pool.runAll(binding, [
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
      // Whatever it was, the primary answers, and says what is wrong with the statement if it is that.
      this.outcomes.failed += 1;
      return undefined;
    }
  }

  /** What a client sends back so that its reads show all that was committed before this call. */
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

  /** Looks at both servers once. */
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

  /** Whether what has been replayed shows what the token stands for. */
  #shows(token: string, lsn: bigint): boolean {
    const position = positionIn(token);
    return position !== undefined && position.history === this.#clock.history && position.lsn <= lsn;
  }

  #ageAt(moment: number, lsn: bigint): number {
    return moment - (this.#clock.reachedAt(lsn) ?? -Infinity);
  }
}

/** The servers behind a replica's address that follow the history which the primary is in. */
class FollowingServers {
  #history: string | undefined;
  #servers: readonly string[] = [];

  in(history: string | undefined): readonly string[] {
    return this.#history === history ? this.#servers : [];
  }

  /** What a replica has replayed of the history that the primary is in. */
  replayedBy({ isRecovering, server, history, lsn }: ReplicaState, current: string | undefined): bigint {
    if (!isRecovering) throw new Error('it is no replica, or one that was promoted');
    if (history === undefined) return lsn;
    if (history !== current) throw new Error('it follows another history than the primary');
    this.#servers = [server, ...this.in(current)].slice(0, serversMax);
    this.#history = history;
    return lsn;
  }
}

/** Whether the time has passed; it has not when the signal comes first. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false);

/** A connection beside a pool, which is not waited for when the pool is busy. */
function watchBy(options: PoolConfig): pg.Pool {
  const watched = new pg.Pool({ ...options, ...watchTimeouts, max: 1 });
  watched.on('error', () => undefined);
  watched.on('connect', (client) => client.on('error', () => undefined));
  return watched;
}
