import { ApiError } from '@tenantry/envelope';
import type { Measurement } from '@tenantry/service-kit';

/** How much hashing goes on at once. */
export interface HashingLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
}

/**
 * Runs jobs, some at once, the others waiting: each account's in the order they came, and the accounts in turn.
 *
 * @param account whose password it is about.
 */
export type Enqueue = <Result>(account: string, job: () => Promise<Result>) => Promise<Result>;

/** The queue that every password waits in, and what is measured of it. */
export interface HashingQueue {
  readonly enqueue: Enqueue;
  readonly measurements: readonly Measurement[];
}

interface Waiting {
  readonly account: string;
  /** The first jobs of all accounts come first, then the second ones, and so on. */
  readonly round: number;
  readonly start: () => void;
  readonly refuse: (refusal: ApiError) => void;
}

/**
 * Bounds the dearest work of the service, so that a flood of sign-ins leaves the processor to everyone else, and makes
 * it fair: however many jobs of one account wait, that of another is the next to start, and finds a place.
 *
 * @throws UPSTREAM_UNAVAILABLE (503, Retry-After) from the queue when as many wait as may, to the account with the most.
 */
export function createHashingQueue({ runningMax, waitingMax }: HashingLimits): HashingQueue {
  const waiting: Waiting[] = [];
  let running = 0;
  let refused = 0;
  /** Of the job that started last. */
  let round = 0;

  const waitingOf = (account: string) => waiting.filter((one) => one.account === account);

  /** Takes a place from the account that holds the most, unless that is the one that asks. */
  function makeRoom(account: string): void {
    if (waiting.length < waitingMax) return;
    const groups = waiting.map((one) => waitingOf(one.account));
    const most = groups.reduce((one, other) => (other.length > one.length ? other : one));
    const last = most.at(-1);
    refused += 1;
    if (!last || most.length <= waitingOf(account).length + 1) throw busy();
    waiting.splice(waiting.indexOf(last), 1);
    last.refuse(busy());
  }

  function line(account: string): Promise<void> {
    makeRoom(account);
    const next = Math.max(round, waitingOf(account).at(-1)?.round ?? 0) + 1;
    return new Promise((start, refuse) => waiting.push({ account, round: next, start, refuse }));
  }

  /** Of those in the same round, the account with the least to do. */
  function takeNext(): Waiting | undefined {
    const earliest = Math.min(...waiting.map((one) => one.round));
    const [next] = waiting
      .filter((one) => one.round === earliest)
      .toSorted((one, other) => waitingOf(one.account).length - waitingOf(other.account).length);
    if (!next) return undefined;
    waiting.splice(waiting.indexOf(next), 1);
    round = next.round;
    return next;
  }

  const enqueue: Enqueue = async (account, job) => {
    if (running < runningMax) running += 1;
    else await line(account);

    try {
      return await job();
    } finally {
      // The next in line takes over the place, which therefore stays counted.
      const next = takeNext();
      if (next) next.start();
      else running -= 1;
    }
  };

  return {
    enqueue,
    measurements: [
      {
        name: 'tenantry_password_queue',
        help: 'Passwords that are being hashed or compared, and those that wait for it',
        type: 'gauge',
        read: () => [
          { labels: { state: 'running' }, value: running },
          { labels: { state: 'waiting' }, value: waiting.length },
        ],
      },
      {
        name: 'tenantry_password_queue_refusals_total',
        help: 'Passwords that found no place in the queue, or lost theirs to another account',
        type: 'counter',
        read: () => [{ value: refused }],
      },
    ],
  };
}

function busy(): ApiError {
  return new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'Too many people are signing in right now. Try again shortly.',
    {
      headers: { 'retry-after': '5' },
    },
  );
}
