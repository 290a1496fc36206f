import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairShares, NoShareError, sharerOf, type FairSharesOptions, type Sharer } from '../src/index.ts';

/** Shares of which one is in use, and a record of who was served in which order once it is given back. */
async function occupied(options: Partial<FairSharesOptions> = {}) {
  const shares = new FairShares({ name: 'test', runningMax: 1, waitingMax: 100, ...options });
  const first = await shares.take(['occupant']);
  const served: string[] = [];
  const ask = (sharer: Sharer, label = sharer.join('/')) =>
    shares.run(sharer, async () => {
      served.push(label);
    });
  return { shares, first, served, ask };
}

describe('shares', () => {
  it('are never used by more queries than there are', async () => {
    const shares = new FairShares({ name: 'test', runningMax: 3, waitingMax: 1_000 });
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        shares.run([`sharer ${index % 7}`], async () => {
          most = Math.max(most, (running += 1));
          await delay(0);
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(shares.counts).toMatchObject({ running: 0, waiting: 0, waited: { count: 97 } });
  });

  it('go to the next sharer, however much another has waiting', async () => {
    const { first, served, ask } = await occupied();
    const flood = Array.from({ length: 50 }, () => ask(['flooding']));
    const honest = ask(['honest']);
    first.giveBack();
    await Promise.all([...flood, honest]);
    expect(served.indexOf('honest')).toBe(1);
  });

  it('go round: a sharer with two jobs waiting is served twice before another is served three times', async () => {
    const { first, served, ask } = await occupied();
    const asked = 'aaaaaabbbcc'.split('').map((sharer) => ask([sharer]));
    first.giveBack();
    await Promise.all(asked);
    expect(served.join('')).toBe('abcabcabaaa');
  });

  it('go round within a sharer too: one user of an organization does not keep out the others', async () => {
    const { first, served, ask } = await occupied();
    const asked = [
      ...Array.from({ length: 5 }, () => ask(['o1', 'flooding'])),
      ask(['o1', 'colleague']),
      ask(['o2', 'stranger']),
      ask(['o1']),
    ];
    first.giveBack();
    await Promise.all(asked);
    expect(served.slice(0, 5)).toEqual(['o1/flooding', 'o2/stranger', 'o1/colleague', 'o1', 'o1/flooding']);
  });

  it('are given to one sharer up to its part alone, also while others are free', async () => {
    const shares = new FairShares({ name: 'test', runningMax: 4, runningPerSharerMax: 2, waitingMax: 10 });
    const held = [await shares.take(['a']), await shares.take(['a'])];
    const third = shares.take(['a']);
    const other = await shares.take(['b']);
    expect(shares.counts).toMatchObject({ running: 3, waiting: 1 });
    other.giveBack();
    expect(shares.counts).toMatchObject({ running: 2, waiting: 1 });
    held[0]?.giveBack();
    await third;
    expect(shares.counts).toMatchObject({ running: 2, waiting: 0 });
  });

  it('come back when work fails, and once however often they are given back', async () => {
    const shares = new FairShares({ name: 'test', runningMax: 1, waitingMax: 10 });
    await expect(shares.run(['a'], async () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    const share = await shares.take(['a']);
    share.giveBack();
    share.giveBack();
    await shares.take(['a']);
    expect(shares.counts.running).toBe(1);
  });
});

describe('shares of which a sharer may have a part of the free ones', () => {
  const limits = { name: 'test', runningMax: 90, partOfFreeMax: 1 / 8, waitingMax: 1_000 };
  const takeAll = (shares: FairShares, sharer: Sharer) => {
    let taken = 0;
    while (shares.takeNow(sharer)) taken += 1;
    return taken;
  };

  it('leave some free for newcomers, however many hold theirs for ever', () => {
    const shares = new FairShares(limits);
    const taken = Array.from({ length: 12 }, (_, index) => takeAll(shares, [`a${index}`, 'u']));
    expect(taken.every((count) => count > 0)).toBe(true);
    expect(shares.counts.running).toBeLessThan(90);
  });

  it('are a ninth of all for one that is alone, and two thirds of that for one user of it', () => {
    const shares = new FairShares(limits);
    expect(takeAll(shares, ['a', 'flooding'])).toBe(7);
    expect(takeAll(shares, ['a', 'colleague'])).toBeGreaterThan(0);
    const alone = new FairShares(limits);
    let users = 0;
    while (alone.takeNow(['a', `u${users}`])) users += 1;
    expect(users).toBe(10);
  });

  it('may be of any size, and count as much', () => {
    const shares = new FairShares({ ...limits, runningMax: 900 });
    const taken = shares.takeNow(['a'], { size: 70 });
    expect(shares.takeNow(['a'], { size: 1 })).toBeUndefined();
    expect(shares.counts.running).toBe(70);
    taken?.giveBack();
    expect(shares.counts.running).toBe(0);
    expect(shares.takeNow(['a'], { size: 1 })).toBeDefined();
  });

  it('are waited for in turn by a sharer that has its part, even while others are free', async () => {
    const shares = new FairShares(limits);
    const held = Array.from({ length: 7 }, () => shares.takeNow(['a', 'flooding']));
    const served: string[] = [];
    const waiting = ['flooding', 'flooding', 'colleague'].map((user) =>
      shares.run(['a', user], async () => void served.push(user)),
    );
    await waiting[2];
    expect(served).toEqual(['colleague']);
    held[0]?.giveBack();
    await Promise.all(waiting);
    expect(shares.counts).toMatchObject({ running: 6, waiting: 0 });
  });
});

describe('the queue for shares', () => {
  it('when full, refuses the sharer with the most waiting, so that a newcomer finds a place', async () => {
    const { shares, first, served, ask } = await occupied({ waitingMax: 3 });
    const flood = [1, 2, 3, 4].map(async (n) => ask(['flooding'], `flooding ${n}`));
    await expect(flood[3]).rejects.toThrow(NoShareError);
    const honest = ask(['honest']);
    await expect(flood[2]).rejects.toMatchObject({ reason: 'full', shared: 'test' });
    first.giveBack();
    await Promise.all([flood[0], flood[1], honest]);
    expect(served).toEqual(['flooding 1', 'honest', 'flooding 2']);
    expect(shares.counts.refused).toEqual({ full: 2, late: 0 });
  });

  it('when a sharer has used its part, drops a job of the user who has the most there', async () => {
    const { first, served, ask } = await occupied({ waitingPerSharerMax: 2 });
    const flood = [ask(['o1', 'flooding']), ask(['o1', 'flooding'])];
    const colleague = ask(['o1', 'colleague']);
    const refused = expect(flood[1]).rejects.toMatchObject({ reason: 'full' });
    await refused;
    first.giveBack();
    await Promise.all([flood[0], colleague]);
    expect(served).toContain('o1/colleague');
  });

  it('refuses what waits too long, and what waits no longer takes no share', async () => {
    const { shares, first } = await occupied({ waitMsMax: 20 });
    await expect(shares.take(['late'])).rejects.toMatchObject({ reason: 'late' });
    expect(shares.counts).toMatchObject({ waiting: 0, refused: { full: 0, late: 1 } });
    first.giveBack();
    expect(shares.counts.running).toBe(0);
  });

  it('is left when the signal fires, with its reason', async () => {
    const { shares } = await occupied();
    const leaving = new AbortController();
    const asked = shares.take(['leaving'], { signal: leaving.signal });
    leaving.abort(new Error('the client has gone'));
    await expect(asked).rejects.toThrow('the client has gone');
    await expect(shares.take(['leaving'], { signal: leaving.signal })).rejects.toThrow('the client has gone');
    expect(shares.counts.waiting).toBe(0);
  });
});

describe('by property, whatever asks, ends, leaves and fails', () => {
  const step = fc.record({
    organization: fc.constantFrom('o1', 'o2', 'o3'),
    user: fc.constantFrom('u1', 'u2', undefined),
    leaves: fc.boolean(),
    fails: fc.boolean(),
  });
  const limits = fc.record({
    runningMax: fc.integer({ min: 1, max: 4 }),
    runningPerSharerMax: fc.integer({ min: 1, max: 4 }),
    partOfFreeMax: fc.constantFrom(1 / 8, 1, Infinity),
    waitingMax: fc.integer({ min: 0, max: 12 }),
    waitingPerSharerMax: fc.integer({ min: 0, max: 12 }),
  });

  it('limits hold, every asker gets an answer, and nothing is left in use', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async (options, steps) => {
        const shares = new FairShares({ name: 'test', ...options });
        const running = new Map<string, number>();
        const asked = steps.map(async ({ organization, user, leaves, fails }) => {
          const leaving = new AbortController();
          const work = async () => {
            running.set(organization, (running.get(organization) ?? 0) + 1);
            expect(shares.counts.running).toBeLessThanOrEqual(options.runningMax);
            expect(running.get(organization)).toBeLessThanOrEqual(options.runningPerSharerMax);
            await Promise.resolve();
            running.set(organization, (running.get(organization) ?? 0) - 1);
            if (fails) throw new Error('failed');
          };
          const result = shares.run(user === undefined ? [organization] : [organization, user], work, {
            signal: leaving.signal,
          });
          if (leaves) queueMicrotask(() => leaving.abort());
          return result;
        });
        await Promise.allSettled(asked);
        expect(shares.counts).toMatchObject({ running: 0, waiting: 0 });
      }),
    );
  });

  it('no sharer waits for more than one job of each other sharer', async () => {
    const flood = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(flood, async (asked) => {
        const { first, served, ask } = await occupied();
        const all = asked.map(async (sharer) => ask([sharer]));
        const honest = ask(['honest']);
        first.giveBack();
        await Promise.all([...all, honest]);
        expect(served.indexOf('honest')).toBeLessThanOrEqual(new Set(asked).size);
      }),
    );
  });
});

describe('a sharer', () => {
  it('is the organization and in it the user, then the user, then the address and in it the account', () => {
    expect(sharerOf({ organizationId: 'o', userId: 'u', address: 'a' })).toEqual([
      'organization:o',
      'user:u',
    ]);
    expect(sharerOf({ organizationId: 'o' })).toEqual(['organization:o']);
    expect(sharerOf({ organizationId: 'o', address: 'a' })).toEqual(['organization:o', 'address:a']);
    expect(sharerOf({ userId: 'u', address: 'a' })).toEqual(['user:u']);
    expect(sharerOf({ address: '192.0.2.1' })).toEqual(['address:192.0.2.1']);
    expect(sharerOf({ address: '192.0.2.1', account: 'ada' })).toEqual(['address:192.0.2.1', 'account:ada']);
    expect(sharerOf({ userId: 'u', account: 'ada' })).toEqual(['user:u']);
    expect(sharerOf({})).toEqual(['address:']);
  });
});
