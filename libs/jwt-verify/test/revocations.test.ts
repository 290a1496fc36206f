import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createVerifier, type Identity, type Revocation } from '@tenantry/jwt-verify';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { readRevocationPage, Revocations } from '../src/issuer/revocations.ts';
import { eventually } from './eventually.ts';
import { createForge } from './forge.ts';
import { startRelay } from './relay.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function followed() {
  const issuer = await createTestIssuer({ server: true });
  closing.push(() => issuer.close());
  const verifier = issuer.verifier();
  await verifier.ready();
  return { issuer, verifier, server: issuer.server! };
}

/** Lets what is under way continue until a condition holds, while timers are stopped. */
async function settled(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 1, message: condition.toString() }).toBe(true);
}

/** A verifier whose poll waits for news at its issuer, while timers stand still. */
async function waiting(issuer: TestIssuer, options: Parameters<TestIssuer['verifier']>[0] = {}) {
  const server = issuer.server!;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  closing.push(() => vi.useRealTimers());
  const verifier = issuer.verifier(options);
  // The first answer, which waits for no news, and after a pause the long poll.
  await settled(() => server.revocationRequests === 1);
  vi.advanceTimersByTime(0);
  await verifier.ready();
  vi.advanceTimersByTime(100);
  await settled(() => server.revocationRequests === 2);
  return verifier;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const until = () => nowSeconds() + 900;

describe('a revocation', () => {
  it('of a session is known immediately, and the token was in use until then', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const verifier = await waiting(issuer);
    const token = await issuer.token({ sid: 'session-1' });
    const other = await issuer.token({ sid: 'session-2' });
    await verifier.verify(token);
    issuer.revoke({ kind: 'session', sid: 'session-1', until: until() });
    await settled(() => verifier.revocations.entries === 1);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_REVOKED', statusCode: 401 });
    await expect(verifier.verify(other)).resolves.toBeDefined();
  });

  it('made before the verifier started is known when it is ready', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    issuer.revoke({ kind: 'session', sid: 'gone', until: until() });
    const verifier = issuer.verifier();
    await verifier.ready();
    await expect(verifier.verify(await issuer.token({ sid: 'gone' }))).rejects.toMatchObject({
      code: 'TOKEN_REVOKED',
    });
  });

  it('is asked for in the background alone: a thousand verifications cause no request', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const verifier = await waiting(issuer);
    const server = issuer.server!;
    const before = server.keyRequests + server.revocationRequests;
    for (let n = 0; n < 50; n++) await verifier.verify(await issuer.token());
    const token = await issuer.token();
    for (let n = 0; n < 950; n++) await verifier.verify(token);
    expect(server.keyRequests + server.revocationRequests).toBe(before);
  });

  it('survives an auth service that goes away, and the next one is heard once it returns', async () => {
    const { issuer, verifier, server } = await followed();
    issuer.revoke({ kind: 'session', sid: 'first', until: until() });
    await eventually(() => verifier.revocations.entries === 1);
    await server.stop();
    await expect(verifier.verify(await issuer.token({ sid: 'first' }))).rejects.toThrow();
    issuer.revoke({ kind: 'session', sid: 'second', until: until() });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(verifier.revocations.staleMs).toBeGreaterThan(400);
    await server.start();
    await eventually(() => verifier.revocations.entries === 2 && verifier.revocations.staleMs < 400);
  });
});

describe('a connection that has lost its other end without a word', () => {
  it('delays a revocation by less than 5 s [S-70]', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const url = new URL(issuer.server!.revocationsUrl);
    const relay = await startRelay(Number(url.port));
    closing.push(() => relay.close());
    url.port = String(relay.port);
    const verifier = await waiting(issuer, { revocations: url.href });
    const token = await issuer.token({ sid: 's' });
    relay.forget();
    issuer.revoke({ kind: 'session', sid: 's', until: until() });
    vi.advanceTimersByTime(4500);
    await settled(() => relay.connections === 0);
    await verifier.verify(token);
    vi.advanceTimersByTime(250);
    await settled(() => verifier.revocations.entries === 1);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
  });
});

describe('how stale the revocations are', () => {
  it('is nothing without a feed, and without end before the first answer of one', async () => {
    const issuer = await createTestIssuer();
    closing.push(() => issuer.close());
    expect(issuer.verifier().revocations.staleMs).toBe(0);
    const waiting = issuer.verifier({ revocations: 'http://127.0.0.1:1/internal/revocations' });
    expect(waiting.revocations.staleMs).toBe(Infinity);
    await expect.poll(() => waiting.unreadyBecause()).toBe('session revocations have not been read yet');
    await expect(waiting.ready({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'REVOCATIONS_UNAVAILABLE',
      statusCode: 503,
    });
  });
});

describe('what a revocation covers', () => {
  const identity = (changed: Partial<Identity> = {}): Identity => ({
    kind: 'user',
    userId: 'u',
    email: '',
    name: '',
    organizationId: 'o',
    organizationName: null,
    role: 'member',
    baseRole: null,
    scope: null,
    sessionId: 's',
    issuedAt: 1000,
    expiresAt: 1900,
    factors: [],
    level: 'aal1',
    authenticatedAt: null,
    binding: null,
    claims: {},
    ...changed,
  });
  const after = (news: readonly Revocation[], now = 1000): Revocations => {
    const revocations = new Revocations(10);
    revocations.apply(news, now);
    return revocations;
  };

  it('a session: all of its tokens, whenever issued', () => {
    const revocations = after([{ kind: 'session', sid: 's', until: 2000 }]);
    expect(revocations.covers(identity({ issuedAt: 1999 }))).toBe(true);
    expect(revocations.covers(identity({ sessionId: 't' }))).toBe(false);
  });

  it('a member: tokens of this user for this organization issued before', () => {
    const revocations = after([
      { kind: 'member', sub: 'u', organizationId: 'o', issuedBefore: 1001, until: 2000 },
    ]);
    expect(revocations.covers(identity())).toBe(true);
    expect(revocations.covers(identity({ issuedAt: 1001 }))).toBe(false);
    expect(revocations.covers(identity({ organizationId: 'p' }))).toBe(false);
    expect(revocations.covers(identity({ organizationId: null }))).toBe(false);
    expect(revocations.covers(identity({ userId: 'v' }))).toBe(false);
  });

  it('a user: tokens for any organization or none issued before', () => {
    const revocations = after([{ kind: 'user', sub: 'u', issuedBefore: 1001, until: 2000 }]);
    expect(revocations.covers(identity({ organizationId: null }))).toBe(true);
    expect(revocations.covers(identity({ issuedAt: 1001 }))).toBe(false);
    expect(revocations.covers(identity({ userId: 'v' }))).toBe(false);
  });

  it('an organization: tokens of anyone for it issued before', () => {
    const revocations = after([
      { kind: 'organization', organizationId: 'o', issuedBefore: 1001, until: 2000 },
    ]);
    expect(revocations.covers(identity())).toBe(true);
    expect(revocations.covers(identity({ userId: 'v' }))).toBe(true);
    expect(revocations.covers(identity({ issuedAt: 1001 }))).toBe(false);
    expect(revocations.covers(identity({ organizationId: 'p' }))).toBe(false);
    expect(revocations.covers(identity({ organizationId: null }))).toBe(false);
  });

  it('is never narrowed by older news that comes late', () => {
    const revocations = after([
      { kind: 'user', sub: 'u', issuedBefore: 1001, until: 2000 },
      { kind: 'user', sub: 'u', issuedBefore: 900, until: 1500 },
    ]);
    expect(revocations.covers(identity())).toBe(true);
    revocations.apply([], 1600);
    expect(revocations.size).toBe(1);
  });

  it('cannot be confused by ids that contain separators', () => {
    const revocations = after([
      { kind: 'member', sub: 'u","o', organizationId: 'x', issuedBefore: 2000, until: 2000 },
    ]);
    expect(revocations.covers(identity({ userId: 'u', organizationId: 'o","x' }))).toBe(false);
  });
});

describe('the memory of revocations', () => {
  const sessions = (from: number, to: number, end: number): Revocation[] =>
    Array.from({ length: to - from }, (_, n) => ({ kind: 'session', sid: `s${from + n}`, until: end }));

  it('forgets what no token can need any more', () => {
    const revocations = new Revocations(10);
    revocations.apply(sessions(0, 5, 100), 50);
    expect(revocations.size).toBe(5);
    revocations.apply([], 100);
    expect(revocations.size).toBe(0);
    revocations.apply(sessions(0, 5, 100), 101);
    expect(revocations.size).toBe(0);
  });

  it('is bounded, and takes news whole or not at all, dropping nothing it has', () => {
    const revocations = new Revocations(10);
    revocations.apply(sessions(0, 8, 100), 50);
    expect(() => revocations.apply(sessions(8, 11, 200), 50)).toThrow(/entriesMax/);
    expect(revocations.size).toBe(8);
    revocations.apply(sessions(8, 11, 200), 100);
    expect(revocations.size).toBe(3);
  });

  it('counts what is revoked, not how often: a repeated revocation takes no more room [S-72]', () => {
    const revocations = new Revocations(13);
    const toggled = (issuedBefore: number): Revocation[] =>
      Array.from({ length: 13 }, (_, n) => ({
        ...({ kind: 'member', sub: `u${n}`, organizationId: 'o' } as const),
        ...{ issuedBefore, until: issuedBefore + 900 },
      }));
    for (let n = 0; n < 50; n++) revocations.apply(toggled(1000 + n), 1000);
    revocations.apply([...toggled(2000), ...toggled(2001)], 1000);
    expect(revocations.size).toBe(13);
    expect(() => revocations.apply(sessions(0, 1, 2000), 1000)).toThrow(/entriesMax/);
  });

  it('that is full lets the feed show as stale until there is room, and loses nothing', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const url = issuer.server!.revocationsUrl;
    const verifier = issuer.verifier({ revocations: { url, entriesMax: 2 } });
    await verifier.ready();
    issuer.revoke(...sessions(0, 2, nowSeconds() + 2));
    await eventually(() => verifier.revocations.entries === 2);
    issuer.revoke(...sessions(2, 4, until()));
    await eventually(() => verifier.revocations.staleMs > 500);
    expect(verifier.revocations.entries).toBe(2);
    await eventually(async () =>
      verifier.verify(await issuer.token({ sid: 's3' })).then(
        () => false,
        () => true,
      ),
    );
    expect(verifier.revocations.entries).toBe(2);
  });
});

describe('an answer of the feed', () => {
  it.each([
    ['nothing', null],
    ['no cursor', { entries: [] }],
    ['a number for a cursor', { cursor: 1, entries: [] }],
    ['no entries', { cursor: '1' }],
    ['a session without its id', { cursor: '1', entries: [{ kind: 'session', until: 1 }] }],
    ['a session without an end', { cursor: '1', entries: [{ kind: 'session', sid: 's' }] }],
    [
      'a member without an organization',
      { cursor: '1', entries: [{ kind: 'member', sub: 'u', issuedBefore: 1, until: 1 }] },
    ],
    [
      'an organization without its id',
      { cursor: '1', entries: [{ kind: 'organization', issuedBefore: 1, until: 1 }] },
    ],
    ['a user without a time', { cursor: '1', entries: [{ kind: 'user', sub: 'u', until: 1 }] }],
  ])('is refused as a whole: %s', (_name, value) => {
    expect(() => readRevocationPage(value)).toThrow();
  });

  it('may hold kinds that are not known yet: they are passed over', () => {
    const entries = [{ kind: 'planet' }, null, 7, { kind: 'session', sid: 's', until: 1 }];
    expect(readRevocationPage({ cursor: '1', entries }).entries).toEqual([
      { kind: 'session', sid: 's', until: 1 },
    ]);
  });
});

describe('the feed', () => {
  async function feed(listener: RequestListener): Promise<string> {
    const server: Server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed?tenant=a`;
  }

  function follow(url: string) {
    const verifier = createVerifier({
      issuer: 'https://auth.test',
      jwks: createForge().jwks,
      revocations: url,
    });
    closing.push(() => verifier.close());
    return verifier;
  }

  it('sends that it knows organizations, which earlier versions did not', async () => {
    let kinds: unknown;
    const url = await feed((request, response) => {
      kinds = request.headers['revocation-kinds'];
      response.end(JSON.stringify({ cursor: 'c', entries: [] }));
    });
    follow(url);
    await eventually(() => kinds === 'organization');
  });

  it('is asked without a wait first, then after the cursor with one', async () => {
    const asked: string[] = [];
    const url = await feed((request, response) => {
      asked.push(request.url ?? '');
      if (asked.length < 3) response.end(JSON.stringify({ cursor: `c ${asked.length}`, entries: [] }));
    });
    follow(url);
    await eventually(() => asked.length === 3);
    expect(asked).toEqual([
      '/feed?tenant=a&wait=0',
      '/feed?tenant=a&after=c+1&wait=3',
      '/feed?tenant=a&after=c+2&wait=3',
    ]);
  });

  it('that answers without waiting is asked ten times a second at the most', async () => {
    let asked = 0;
    const url = await feed((_request, response) => {
      asked++;
      response.end(JSON.stringify({ cursor: '1', entries: [] }));
    });
    const since = performance.now();
    follow(url);
    await eventually(() => asked > 5);
    // A timer may end up to a millisecond early.
    expect(asked - 1).toBeLessThanOrEqual((performance.now() - since) / 99);
  });

  it('that has lost its place (410) is read from the beginning', async () => {
    const asked: string[] = [];
    const url = await feed((request, response) => {
      asked.push(request.url ?? '');
      if (asked.length === 1) response.end(JSON.stringify({ cursor: 'old', entries: [] }));
      else if (asked.length === 2) response.writeHead(410).end();
      else if (asked.length === 3) response.end(JSON.stringify({ cursor: 'new', entries: [] }));
    });
    follow(url);
    await eventually(() => asked.length === 4);
    expect(asked[2]).toBe('/feed?tenant=a&wait=0');
    expect(asked[3]).toContain('after=new');
  });

  it('that failed is asked without a wait, so that it counts as fresh as soon as it is back', async () => {
    const asked: string[] = [];
    const url = await feed((request, response) => {
      asked.push(request.url ?? '');
      if (asked.length === 1) response.end(JSON.stringify({ cursor: '1', entries: [] }));
      else if (asked.length === 2) response.writeHead(503).end();
      else if (asked.length === 3) response.end(JSON.stringify({ cursor: '1', entries: [] }));
    });
    follow(url);
    await eventually(() => asked.length === 4);
    expect(asked.slice(1)).toEqual([
      '/feed?tenant=a&after=1&wait=3',
      '/feed?tenant=a&after=1&wait=0',
      '/feed?tenant=a&after=1&wait=3',
    ]);
  });

  it('that fails is not hammered', async () => {
    let asked = 0;
    const url = await feed((_request, response) => {
      asked++;
      response.writeHead(500).end();
    });
    const since = performance.now();
    follow(url);
    await eventually(() => asked > 3);
    // At least 125, 250 and 500 ms, each of which may end up to a millisecond early.
    expect(performance.now() - since).toBeGreaterThan(870);
  });
});
