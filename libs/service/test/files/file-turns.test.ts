import { describe, expect, it } from 'vitest';
import { FileTurns, takeTurn } from '../../src/files/index.ts';

const { signal } = new AbortController();
const stranger = { organizationId: 'honest', address: '192.0.2.1', signal };
const floods = [
  ['one organization', (n: number) => ({ organizationId: 'free', address: `198.51.100.${n}` })],
  ['one address', (n: number) => ({ organizationId: `o${n}`, address: '198.51.100.1' })],
] as const;

describe('work on files', () => {
  it.each(floods)('of a stranger is next under a flood of %s', async (_who, flooding) => {
    const { work } = new FileTurns('lead');
    const done: string[] = [];
    const doWork = async (turning: Parameters<typeof takeTurn>[1], label: string) => {
      const turn = await takeTurn(work, turning);
      done.push(label);
      await new Promise((resolve) => setImmediate(resolve));
      turn.giveBack();
    };
    const flood = Array.from({ length: 60 }, (_, n) =>
      doWork({ ...flooding(n), signal }, 'flood').catch(() => 'refused'),
    );
    await doWork(stranger, 'stranger');
    // Two are in work, and one of the flood may come before it.
    expect(done.indexOf('stranger')).toBeLessThanOrEqual(3);
    await Promise.all(flood);
  });
});

describe('uploads', () => {
  it.each(floods)('of a stranger find a place under a flood of %s', async (_who, flooding) => {
    const { uploads } = new FileTurns('lead');
    const flood = Array.from({ length: 300 }, (_, n) =>
      takeTurn(uploads, { ...flooding(n), signal }).catch(() => 'refused'),
    );
    await expect(takeTurn(uploads, stranger)).resolves.toBeDefined();
    expect(await Promise.all(flood)).toContain('refused');
  });

  it('of a stranger find a place beside those of a dozen addresses, all of free accounts', async () => {
    const { uploads } = new FileTurns('lead');
    const flood = Array.from({ length: 12 * 64 }, (_, n) => {
      const turning = { organizationId: `o${n >> 2}`, address: `198.51.100.${n % 12}`, signal };
      return takeTurn(uploads, turning).catch(() => 'refused');
    });
    expect(await Promise.all(flood)).toContain('refused');
    for (const account of ['a', 'b', 'c']) {
      await expect(takeTurn(uploads, { ...stranger, organizationId: account })).resolves.toBeDefined();
    }
  });
});
