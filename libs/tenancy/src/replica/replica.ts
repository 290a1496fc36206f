import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolConfig } from 'pg';
import { TenantPool, type TenantPoolOptions } from '../pool.ts';
import { assertPoolerFits, PoolerError } from '../pooler.ts';
import { readable, type Answer, type Query } from '../protocol/query.ts';
import type { Binding } from '../scope.ts';
import { positionIn, tokenOf } from './consistency-token.ts';
import { createPrimaryClock } from './primary-clock.ts';
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

/** A replica, which answers reads that may be a second old. */
export interface Replica {
  /** Begins to watch it. Until then nothing is read from it. @throws {PoolerError} where what it is behind does not fit. */
  start(): Promise<void>;
  /** Runs statements there, in one exchange, and gives the answer to the last; undefined where the primary has to. */
  query(binding: Binding, queries: readonly Query[], token?: string): Promise<Answer | undefined>;
  /** What a client sends back so that its reads show all that was committed before this call. */
  token(): Promise<string>;
  readonly outcomes: Readonly<Record<ReplicaOutcome, number>>;
  /** How many milliseconds ago the primary was last where the replica is; Infinity before that is known. */
  readonly lagMs: number;
  readonly pool: TenantPool;
  close(): Promise<void>;
}

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

/** Opens a replica beside its primary. */
export function createReplica(
  primary: TenantPool,
  { onChange = () => undefined, ...options }: ReplicaOptions & TenantPoolOptions,
): Replica {
  const { timings, timeouts } = primary;
  const pool = new TenantPool({
    ...options,
    timings,
    timeouts: { ...timeouts, ...readTimeouts },
    readOnly: true,
  });
  const primaryWatch = watchBy(primary.options);
  const replicaWatch = watchBy(pool.options);
  const clock = createPrimaryClock(primaryWatch);
  const outcomes = { answered: 0, away: 0, lagging: 0, behind: 0, failed: 0 };
  const ending = new AbortController();
  let watching: Promise<void> = Promise.resolve();
  let closing: Promise<unknown> | undefined;
  let poolerFits = false;
  /** What it has replayed; undefined while it is passed over. */
  let replayed: bigint | undefined;
  let isAway = false;
  /** Servers of the history that the primary is in. */
  let known: { readonly history: string | undefined; readonly servers: readonly string[] } = {
    history: undefined,
    servers: [],
  };

  const knownServers = () => (known.history === clock.history ? known.servers : []);

  /** What a replica has replayed of the history that the primary is in. */
  function replayedBy({ isRecovering, server, history, lsn }: ReplicaState): bigint {
    if (!isRecovering) throw new Error('it is no replica, or one that was promoted');
    if (history === undefined) return lsn;
    if (history !== clock.history) throw new Error('it follows another history than the primary');
    known = { history, servers: [server, ...knownServers()].slice(0, serversMax) };
    return lsn;
  }

  function rest(reason: Error): void {
    replayed = undefined;
    if (isAway) return;
    isAway = true;
    onChange(reason);
  }

  const ageAt = (moment: number, lsn: bigint) => moment - (clock.reachedAt(lsn) ?? -Infinity);

  /** Whether what has been replayed shows what the token stands for. */
  function shows(token: string, lsn: bigint): boolean {
    const position = positionIn(token);
    return position !== undefined && position.history === clock.history && position.lsn <= lsn;
  }

  function reasonAgainst(lsn: bigint | undefined, token: string | undefined, now: number) {
    if (lsn === undefined) return 'away';
    if (ageAt(now, lsn) > lagMsMax) return 'lagging';
    if (token !== undefined && !shows(token, lsn)) return 'behind';
    return undefined;
  }

  /** Looks at both servers once. */
  async function look(): Promise<void> {
    await clock.read();
    try {
      if (!poolerFits) await assertPoolerFits(pool, 'DATABASE_REPLICA_URL');
      poolerFits = true;
      replayed = replayedBy(stateIn(await replicaWatch.query(whereIsReplica(knownServers()))));
    } catch (error) {
      rest(error as Error);
      throw error;
    }
    if (isAway) onChange(undefined);
    isAway = false;
  }

  async function watch(): Promise<void> {
    for (let waitMs = watchEveryMs; await waited(waitMs, ending.signal);) {
      waitMs = await look().then(
        () => watchEveryMs,
        () => Math.min(2 * waitMs, restMsMax),
      );
    }
  }

  async function end(): Promise<void> {
    ending.abort();
    await watching;
    await Promise.all([primaryWatch, replicaWatch, pool].map(async (each) => each.end()));
  }

  return {
    pool,
    outcomes,
    get lagMs() {
      return replayed === undefined ? Infinity : ageAt(performance.now(), replayed);
    },
    async start() {
      await look().catch((error: unknown) => {
        if (error instanceof PoolerError) throw error;
      });
      watching = watch();
    },
    async query(binding, queries, token) {
      const askedAt = performance.now();
      const against = reasonAgainst(replayed, token, askedAt);
      if (against) {
        outcomes[against] += 1;
        return undefined;
      }
      try {
        // It is the server that answers that counts, and behind one address there may be several.
        const answers = await pool.runAll(binding, [whereIsReplica(knownServers()), ...queries]);
        const [state, answer] = [answers[0], answers.at(-1)].map(readable) as [Answer, Answer];
        const lsn = replayedBy(stateIn(state));
        const outcome = reasonAgainst(lsn, token, askedAt) ?? 'answered';
        outcomes[outcome] += 1;
        if (replayed !== undefined && lsn > replayed) replayed = lsn;
        return outcome === 'answered' ? answer : undefined;
      } catch {
        // Whatever it was, the primary answers, and says what is wrong with the statement if it is that.
        outcomes.failed += 1;
        return undefined;
      }
    },
    token: () => clock.read().then(tokenOf, () => unknownPosition),
    close: () => (closing ??= end()) as Promise<void>,
  };
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
