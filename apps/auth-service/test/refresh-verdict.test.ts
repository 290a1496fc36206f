import { sessionBindings } from '@tenantry/service/browser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoundClient, Client } from '../src/ground/callers/client.ts';
import { graceMs, judgeRefresh } from '../src/sessions/refresh/refresh-verdict.ts';

const home: BoundClient = {
  deviceId: 'phone-0001',
  userAgent: 'App/1',
  ipAddress: '203.0.113.7',
  otherIpAddress: null,
};
const hashOf = (generation: number) => Buffer.alloc(32, generation);
const rotatedAt = new Date('2026-01-01T00:00:00Z');

const madeNow = { isOfCurrentSecret: true };
const formerHashes = [hashOf(9), hashOf(8)];
interface Shown {
  readonly client?: Client;
  readonly ms?: number;
  readonly hash?: Buffer;
  readonly isOfCurrentSecret?: boolean;
}

function judge(behind: number, shown: Shown = {}, state: { readonly formerHashes?: Buffer[] } = {}) {
  const generation = 10 - behind;
  const { client = home, ms = 0, hash = hashOf(generation), isOfCurrentSecret = true } = shown;
  return judgeRefresh(
    { generation: 10, hash: hashOf(10), formerHashes, rotatedAt, bound: home, ...state },
    { generation, hash, isOfCurrentSecret, client, at: new Date(rotatedAt.getTime() + ms) },
    'ip+device',
  );
}

describe('a refresh token', () => {
  test('that is the newest gives the next', () => {
    expect(judge(0, { ms: 86_400_000 })).toEqual({ kind: 'rotate' });
  });

  test('whose successor is unused gives that successor, however late', () => {
    expect(judge(1, { ms: 86_400_000 })).toEqual({ kind: 'repeat', generation: 10 });
  });

  test('whose successor has been used gives that successor within the grace, and ends the family after it', () => {
    expect(judge(2, { ms: graceMs })).toEqual({ kind: 'repeat', generation: 9 });
    expect(judge(2, { ms: graceMs + 1 })).toEqual({ kind: 'reused' });
  });

  test('of an earlier generation ends the family immediately', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), (behind) => {
        expect(judge(behind)).toEqual({ kind: 'reused' });
      }),
    );
  });

  test('newer than its session, as after a restore, is caught up with', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: -1 }), (behind) => {
        expect(judge(behind)).toEqual({ kind: 'catch-up' });
      }),
    );
  });

  test('that has the right number and is not the one that was given out is refused', () => {
    for (const behind of [0, 1, 2]) expect(judge(behind, { hash: hashOf(99) })).toEqual({ kind: 'forged' });
  });

  test('of an earlier secret, which may have leaked, is taken only where it is known to have been given out [S-197]', () => {
    const made = { isOfCurrentSecret: false };
    expect(judge(0, made)).toEqual({ kind: 'rotate' });
    expect(judge(1, made)).toEqual({ kind: 'repeat', generation: 10 });
    for (const behind of [-1, -7]) expect(judge(behind, made)).toEqual({ kind: 'forged' });
    for (const behind of [1, 2])
      expect(judge(behind, made, { formerHashes: [] })).toEqual({ kind: 'forged' });
    expect(judge(1, {}, { formerHashes: [] })).toEqual({ kind: 'repeat', generation: 10 });
  });
});

describe('a token shown from elsewhere', () => {
  const { deviceId, ...withoutId } = home;
  const elsewhere = { ...home, ipAddress: '198.51.100.9' };

  test.each([
    { ...home, deviceId: 'phone-0002' },
    { ...withoutId, deviceId: null },
    { ...elsewhere, deviceId: 'phone-0002' },
  ])('ends the family when it is another device: %j', (client) => {
    for (const behind of [0, 1, 2, 3]) expect(judge(behind, { client })).toEqual({ kind: 'other-device' });
  });

  test('is refused at another address, and the family continues', () => {
    for (const behind of [0, 1, 2])
      expect(judge(behind, { client: elsewhere })).toEqual({ kind: 'other-address' });
    expect(judge(3, { client: elsewhere })).toEqual({ kind: 'reused' });
  });

  test.each([
    ['ip+device', '203.0.113.8', 'other-address'],
    ['network+device', '203.0.113.8', 'rotate'],
    ['network+device', '203.0.114.7', 'other-address'],
    // The first address of the other family.
    ['ip+device', '2001:db8::1', 'rotate'],
    ['network+device', '2001:db8::1', 'rotate'],
    ['device', '198.51.100.9', 'rotate'],
    ['off', '198.51.100.9', 'rotate'],
  ] as const)('bound by %s, at %s: %s', (binding, ipAddress, kind) => {
    const state = { generation: 1, hash: hashOf(1), formerHashes: [], rotatedAt, bound: home };
    const shown = {
      generation: 1,
      hash: hashOf(1),
      ...madeNow,
      client: { ...home, ipAddress },
      at: rotatedAt,
    };
    expect(judgeRefresh(state, shown, binding).kind).toBe(kind);
  });

  test.each([
    ['2001:db8:1:2:aaaa::1', 'rotate'],
    ['2001:db8:1:3::1', 'other-address'],
    ['203.0.113.7', 'rotate'],
    ['203.0.113.8', 'other-address'],
  ])('of a device that has been seen on IPv4 and IPv6, at %s: %s', (ipAddress, kind) => {
    const bound = { ...home, otherIpAddress: '2001:db8:1:2::7' };
    const state = { generation: 1, hash: hashOf(1), formerHashes: [], rotatedAt, bound };
    const shown = {
      generation: 1,
      hash: hashOf(1),
      ...madeNow,
      client: { ...home, ipAddress },
      at: rotatedAt,
    };
    expect(judgeRefresh(state, shown, 'ip+device').kind).toBe(kind);
  });

  test('is judged by its User-Agent where the device has no name', () => {
    const bound = { ...withoutId, deviceId: null };
    const state = { generation: 1, hash: hashOf(1), formerHashes: [], rotatedAt, bound };
    for (const binding of sessionBindings) {
      const shown = {
        generation: 1,
        hash: hashOf(1),
        ...madeNow,
        client: { ...bound, userAgent: 'AnotherApp/1' },
        at: rotatedAt,
      };
      const expected = binding === 'off' ? 'rotate' : 'other-device';
      expect(judgeRefresh(state, shown, binding).kind).toBe(expected);
    }
    expect(deviceId).toBe(home.deviceId);
  });
});
