import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Worker, type Claimed, type Queue, type WorkerOptions } from '@tenantry/service/work';

/** A queue in memory that shows what is claimed; the one in PostgreSQL has tests of its own. */
function createQueue(ids: readonly string[]) {
  const waiting = ids.map((id) => ({ id, attempts: 0 }));
  const claims: number[] = [];
  const givenUp: string[] = [];
  const queue: Queue<Claimed> = {
    async claim({ inHand }) {
      claims.push(inHand.length);
      const next = waiting.shift();
      return next && { ...next, attempts: next.attempts + 1 };
    },
    async giveUp({ id }) {
      givenUp.push(id);
    },
  };
  const put = (item: Claimed) => waiting.push(item);
  return { queue, claims, givenUp, put };
}

const logged: { level: string; fields: object; message: string }[] = [];
const level = (name: string) => (fields: object, message: string) => {
  logged.push({ level: name, fields, message });
};
const logger = { info: level('info'), warn: level('warn'), error: level('error') };

let workers: Worker[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
  logged.length = 0;
});

type Options = Partial<WorkerOptions<Claimed>> & Pick<WorkerOptions<Claimed>, 'queue' | 'work'>;
function start(options: Options): Worker {
  const worker = new Worker({ name: 'test', logger, ...options });
  workers.push(worker);
  worker.start();
  return worker;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `item ${n}`);

describe('a worker', () => {
  it('does all waiting work, within its concurrency, and claims only what it can start', async () => {
    const { queue, claims } = createQueue(numbered(20));
    const done: string[] = [];
    let inHand = 0;
    let inHandMax = 0;
    start({
      queue,
      concurrency: 3,
      async work({ id }) {
        inHandMax = Math.max(inHandMax, ++inHand);
        await new Promise(setImmediate);
        inHand--;
        done.push(id);
      },
    });
    await expect.poll(() => done).toHaveLength(20);
    expect(new Set(done).size).toBe(20);
    expect(inHandMax).toBe(3);
    expect(Math.max(...claims)).toBe(2);
  });

  it('looks again by itself after a while, and immediately when it is woken', async () => {
    vi.useFakeTimers();
    const { queue, put } = createQueue([]);
    const work = vi.fn(async () => undefined);
    const worker = start({ queue, work, pollSeconds: 5 });
    await vi.advanceTimersByTimeAsync(1_000);
    put({ id: 'woken', attempts: 0 });
    worker.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(1);
    put({ id: 'polled', attempts: 0 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('misses nothing that is put in while it looks', async () => {
    const { queue, put } = createQueue([]);
    const work = vi.fn(async () => undefined);
    const claim = queue.claim.bind(queue);
    let meanwhile = () => {
      put({ id: 'late', attempts: 0 });
      worker.wake();
      meanwhile = () => undefined;
    };
    const late: Queue<Claimed> = {
      ...queue,
      async claim(options) {
        const claimed = await claim(options);
        meanwhile();
        return claimed;
      },
    };
    const worker = start({ queue: late, work, pollSeconds: 3_600 });
    await expect.poll(() => work).toHaveBeenCalledTimes(1);
  });

  it('continues after a failure, logs it, and gives up after the last attempt', async () => {
    const { queue, givenUp, put } = createQueue(['bad', 'good']);
    const done: string[] = [];
    const worker = start({
      queue,
      attemptsMax: 2,
      async work({ id }) {
        if (id === 'bad') throw new Error('no');
        done.push(id);
      },
    });
    await expect.poll(() => done).toEqual(['good']);
    expect(givenUp).toEqual([]);
    put({ id: 'bad', attempts: 1 });
    worker.wake();
    await expect.poll(() => givenUp).toEqual(['bad']);
    expect(logged).toContainEqual({
      level: 'error',
      fields: { test: 'bad', attempts: 2 },
      message: 'test: given up',
    });
  });

  it('continues after its queue was away', async () => {
    const { queue } = createQueue(['item']);
    const claim = vi.fn(queue.claim.bind(queue)).mockRejectedValueOnce(new Error('away'));
    const work = vi.fn(async () => undefined);
    const worker = start({ queue: { ...queue, claim }, work });
    await expect.poll(() => logged).toMatchObject([{ level: 'warn', message: 'test: the queue is away' }]);
    worker.wake();
    await expect.poll(() => work).toHaveBeenCalledTimes(1);
  });

  it('answers for a failed attempt once its queue is back, before it claims anything', async () => {
    const { queue, put } = createQueue(['item']);
    const told: string[] = [];
    let isAway = true;
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const reachable = async (what: string) => {
      if (isAway) throw away;
      told.push(what);
    };
    const claim = queue.claim.bind(queue);
    const worker = start({
      queue: {
        ...queue,
        async claim(options) {
          const claimed = await claim(options);
          if (claimed?.id === 'next') told.push('claim');
          return claimed;
        },
        retry: ({ id }) => reachable(`retry ${id}`),
      },
      pollSeconds: 3_600,
      work: async () => {
        throw new Error('no');
      },
    });
    await expect.poll(() => logged.map(({ message }) => message)).toContain('test: the queue is away');
    isAway = false;
    put({ id: 'next', attempts: 0 });
    worker.wake();
    await expect.poll(() => told).toEqual(['retry item', 'claim', 'retry next']);
  });

  it('aborts an attempt that times out, and starts the next one', async () => {
    vi.useFakeTimers();
    const { queue } = createQueue(['stuck', 'next']);
    const done: string[] = [];
    let reason: unknown;
    start({
      queue,
      concurrency: 1,
      timeoutSeconds: 20,
      work({ id }, signal) {
        if (id === 'next') done.push(id);
        signal.addEventListener('abort', () => {
          reason = signal.reason;
        });
        return id === 'next' ? Promise.resolve() : new Promise(() => undefined);
      },
    });
    await vi.advanceTimersByTimeAsync(19_000);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reason).toEqual(new Error('The work took longer than 20 s.'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual(['next']);
  });

  it('refuses a lease that ends before the work does', () => {
    const { queue } = createQueue([]);
    const work = async () => undefined;
    const make = () =>
      new Worker({ name: 'test', logger, queue, work, timeoutSeconds: 30, leaseSeconds: 30 });
    expect(make).toThrow(RangeError);
  });

  it('finishes what it has in hand when it is closed, and takes on nothing more', async () => {
    const { queue } = createQueue(numbered(3));
    const done: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const worker = start({
      queue,
      concurrency: 1,
      async work({ id }) {
        await held;
        done.push(id);
      },
    });
    await new Promise(setImmediate);
    const closed = worker.close();
    release();
    await closed;
    expect(done).toEqual(['item 0']);
  });

  it('works outside of the asynchronous context in which it is woken', async () => {
    const context = new AsyncLocalStorage<string>();
    const { queue, put } = createQueue([]);
    const seen: unknown[] = [];
    const worker = start({
      queue,
      work: async () => {
        seen.push(context.getStore());
      },
    });
    put({ id: 'item', attempts: 0 });
    context.run('a transaction', () => worker.wake());
    await expect.poll(() => seen).toEqual([undefined]);
  });
});
