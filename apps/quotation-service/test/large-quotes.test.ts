import type { Asking } from '@tenantry/fair-shares';
import { describe, expect, it } from 'vitest';
import { LargeQuotes } from '../src/quotes/large-quotes.ts';

const attacker = '198.51.100.1';
const stranger: Asking = { organizationId: 'honest', userId: 'u', address: '192.0.2.1' };

describe('large quotes', () => {
  it.each<[string, (n: number) => Asking]>([
    ['one organization', (n) => ({ organizationId: 'free', userId: `u${n}`, address: `198.51.100.${n}` })],
    ['one address', (n) => ({ organizationId: `o${n}`, userId: `u${n}`, address: attacker })],
    ['four addresses', (n) => ({ organizationId: `o${n}`, userId: `u${n}`, address: `198.51.100.${n % 4}` })],
  ])('of a stranger are read at once under a flood of %s', async (_who, flooding) => {
    const quotes = new LargeQuotes();
    const leaving = new AbortController();
    const flood = Array.from({ length: 200 }, (_, n) =>
      quotes.take(flooding(n), leaving.signal).catch(() => 'refused'),
    );
    expect(() => quotes.takeNow(stranger)).not.toThrow();
    leaving.abort();
    expect(await Promise.all(flood)).toContain('refused');
  });
});
