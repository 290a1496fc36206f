import { describe, expect, it } from 'vitest';
import { AddressedShares, type AddressedSharesOptions, type Asking } from '../src/index.ts';

const attacker = '198.51.100.1';
const stranger: Asking = { organizationId: 'honest', userId: 'u', address: '192.0.2.1' };

/** Shares that are all in use, and a record of who was served in which order once they are given back. */
async function occupied(options: Partial<AddressedSharesOptions> = {}) {
  const shares = new AddressedShares({ name: 'test', runningMax: 2, waitingMax: 64, ...options });
  const { runningMax = 2 } = options;
  const held = await Promise.all(
    Array.from({ length: runningMax }, (_, n) =>
      shares.take({ organizationId: `o${n}`, address: `203.0.113.${n}` }),
    ),
  );
  const served: string[] = [];
  const ask = (asking: Asking, label: string) =>
    shares.run(asking, async () => {
      served.push(label);
    });
  const open = () => held.forEach((share) => share.giveBack());
  return { shares, served, ask, open };
}

describe('shares of organizations at addresses', () => {
  it.each<[string, (n: number) => Asking]>([
    ['one organization', (n) => ({ organizationId: 'free', userId: `u${n}`, address: attacker })],
    ['one organization from everywhere', (n) => ({ organizationId: 'free', address: `198.51.100.${n}` })],
    [
      'one address with ever other organizations',
      (n) => ({ organizationId: `o${n}`, userId: `u${n}`, address: attacker }),
    ],
    ['one address with ever other accounts', (n) => ({ address: attacker, account: `a${n}` })],
    ['due work of one organization', () => ({ organizationId: 'free' })],
  ])('are next a stranger’s under a flood of %s, and no stranger is refused', async (_who, askingOf) => {
    const { served, ask, open } = await occupied();
    const flood = Array.from({ length: 200 }, (_, n) => ask(askingOf(n), 'flood').catch(() => 'refused'));
    const honest = ask(stranger, 'stranger');
    open();
    await honest;
    expect(served.indexOf('stranger')).toBeLessThanOrEqual(2);
    expect(await Promise.all(flood)).toContain('refused');
  });

  it('go to another organization of an address while one has as many as it may', async () => {
    const shares = new AddressedShares({
      name: 'test',
      runningMax: 2,
      runningPerSharerMax: 1,
      waitingMax: 8,
    });
    const ofOne = [1, 2, 3].map(() => shares.take({ organizationId: 'one', address: attacker }));
    await ofOne[0];
    expect(shares.takeNow({ organizationId: 'one', address: attacker })).toBeUndefined();
    expect(shares.takeNow({ organizationId: 'two', address: attacker })).toBeDefined();
    expect(shares.waiting).toBe(2);
  });

  it('leave some to others where an address may have a part of them', async () => {
    const shares = new AddressedShares({
      name: 'test',
      runningMax: 8,
      runningPerAddressMax: 4,
      waitingMax: 0,
    });
    const takeAt = (address: string) => (n: number) => shares.takeNow({ organizationId: `o${n}`, address });
    const taken = Array.from({ length: 8 }, (_, n) => takeAt(attacker)(n));
    expect(taken.filter((share) => share !== undefined)).toHaveLength(4);
    expect(takeAt('192.0.2.1')(9)).toBeDefined();
  });

  it.each([
    [2, 4],
    [5, 5],
  ])('leave some to others when %i addresses take all they may of what is free', async (addresses, used) => {
    const shares = new AddressedShares({
      name: 'test',
      runningMax: 8,
      partOfFreePerAddressMax: 1 / 4,
      waitingMax: 32,
    });
    const takeAt = (n: number, address: string) => shares.take({ organizationId: `o${n}`, address });
    const flood = Array.from({ length: 30 }, (_, n) => takeAt(n, `198.51.100.${n % addresses}`));
    await flood[0];
    expect(shares.shares[0].counts.running).toBe(used);
    const share = await takeAt(99, '192.0.2.1');
    expect(shares.shares[0].counts.running).toBe(used + 1);
    share.giveBack();
    (await flood[0])?.giveBack();
    await expect.poll(() => shares.shares[0].counts.running).toBe(used);
  });

  it('come back from both lines when the work fails or the wait ends', async () => {
    const shares = new AddressedShares({ name: 'test', runningMax: 1, waitingMax: 4 });
    await expect(shares.run(stranger, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const held = await shares.take(stranger);
    const leaving = new AbortController();
    const waits = shares.take({ ...stranger, address: attacker }, { signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
    held.giveBack();
    for (const { counts } of shares.shares) expect(counts).toMatchObject({ running: 0, waiting: 0 });
  });
});
