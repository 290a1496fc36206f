import type { Identity } from '@tenantry/jwt-verify';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { KnownUsers } from '../src/callers/known-users.ts';
import { eventually, exchange, pause, send } from './support/client.ts';
import { startGateway, type RunningGateway } from './support/gateway.ts';
import { startUpstream, type RunningUpstream } from './support/upstream.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await createTestIssuer({ server: true });
});
afterAll(() => issuer.close());

const perMinute = 20;
const office = '198.51.100.1';

async function startLimited(
  settings: Parameters<typeof startGateway>[1] & { readonly leads?: RunningUpstream } = {},
): Promise<RunningGateway> {
  const { leads = await startUpstream((_request, response) => void response.end('ok')), ...more } = settings;
  const auth = new URL(issuer.server!.jwksUrl).origin;
  return startGateway([`/api/leads=${leads.url}`, ...(more.ROUTES ?? [`/api/auth=${auth}`])], {
    RATE_LIMIT_PER_MINUTE: perMinute,
    TRUST_PROXY: ['127.0.0.1'],
    AUTH_URL: issuer.issuer,
    ...more,
  });
}

/** Asks so many times and says how often it was let through. */
async function letThrough(port: number, times: number, headers: Record<string, string>, path = '/api/leads') {
  let passed = 0;
  for (let n = 0; n < times; n += 1) {
    const { status } = await send(port, path, { headers: { 'x-forwarded-for': office, ...headers } });
    if (status !== 429) passed += 1;
  }
  return passed;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends a token until the gateway, which reads the keys in the background, knows its user. */
async function makeKnown(port: number, token: string): Promise<void> {
  const isKnown = async (n: number) => {
    const headers = { 'x-forwarded-for': `203.0.113.${n}`, ...bearer(token) };
    await send(port, '/api/leads', { headers });
    return (await letThrough(port, 1, bearer(token))) === 1;
  };
  await letThrough(port, perMinute, {});
  for (let n = 1; !(await isKnown(n)); n += 1) await pause(5);
}

describe('a user who is signed in', () => {
  it('is not held up by others behind the same address, and has a limit of their own [S-21]', async () => {
    const { port } = await startLimited();
    const tokens = [await issuer.token(), await issuer.token()];
    for (const token of tokens) await makeKnown(port, token);
    expect(await letThrough(port, 5, {})).toBe(0);
    for (const token of tokens) {
      const passed = await letThrough(port, 2 * perMinute, bearer(token));
      expect(passed).toBeGreaterThan(0);
      expect(passed).toBeLessThanOrEqual(perMinute);
    }
  });

  it('is known by the cookie of a browser as well', async () => {
    const { port } = await startLimited();
    const token = await issuer.token();
    await makeKnown(port, token);
    expect(await letThrough(port, 5, { cookie: `__Host-access=${token}` })).toBe(5);
  });

  it('has one limit for all tokens of a session at an address', async () => {
    const { port } = await startLimited();
    const session = { sub: crypto.randomUUID(), sid: crypto.randomUUID() };
    const tokens = [await issuer.token(session), await issuer.token({ ...session, name: 'Renamed' })];
    for (const token of tokens) await makeKnown(port, token);
    let passed = 0;
    for (const token of tokens) passed += await letThrough(port, perMinute, bearer(token));
    expect(passed).toBeLessThanOrEqual(perMinute);
  });

  it('is not stopped by a copy of their token elsewhere, nor by another session [S-21]', async () => {
    const { port } = await startLimited();
    const sub = crypto.randomUUID();
    const [own, copied] = [await issuer.token({ sub }), await issuer.token({ sub })];
    for (const token of [own, copied]) await makeKnown(port, token);
    const thief = { 'x-forwarded-for': '203.0.113.200' };
    for (const token of [own, copied]) {
      expect(await letThrough(port, 2 * perMinute, { ...bearer(token), ...thief })).toBe(perMinute);
    }
    expect(await letThrough(port, 5, bearer(own))).toBe(5);
  });

  it('counts as a stranger beyond the limit of all sessions: so they are never stopped from elsewhere [S-21]', async () => {
    const { port } = await startLimited({ RATE_LIMIT_PER_MINUTE: 4 });
    const sub = crypto.randomUUID();
    const [own, copied] = [await issuer.token({ sub }), await issuer.token({ sub })];
    for (const token of [own, copied]) await makeKnown(port, token);
    // At each address the session may ask four times, and a stranger four times.
    const passed: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const elsewhere = { ...bearer(copied), 'x-forwarded-for': `192.0.2.${n}` };
      passed.push(await letThrough(port, 12, elsewhere));
    }
    expect(Math.max(...passed)).toBeLessThanOrEqual(8);
    expect(passed.at(-1)).toBe(4);
    const home = { ...bearer(own), 'x-forwarded-for': '192.0.2.100' };
    expect(await letThrough(port, 12, home)).toBe(4);
  });

  it('is one of twenty: accounts beyond that gain an address nothing [S-21]', async () => {
    const { port } = await startLimited({ RATE_LIMIT_PER_MINUTE: 4 });
    let passed = 0;
    for (let user = 0; user < 30; user += 1) {
      const token = await issuer.token();
      const elsewhere = { 'x-forwarded-for': `203.0.113.${user}`, ...bearer(token) };
      // The first one is counted by address, and has the token verified.
      await send(port, '/api/leads', { headers: elsewhere });
      await send(port, '/api/leads', { headers: elsewhere });
      passed += await letThrough(port, 3, bearer(token));
    }
    expect(passed).toBeGreaterThan(60);
    expect(passed).toBeLessThanOrEqual(4 * 20 + 4);
  });
});

describe('a token that a service refuses', () => {
  const invalid = 'Bearer error="invalid_token", error_description="The session has ended."';

  /** A service that ends some tokens, and asks others for a second factor. */
  async function startEnding(ended: ReadonlySet<string>, challenge = invalid) {
    const leads = await startUpstream((request, response) => {
      const isEnded = ended.has(String(request.headers.authorization).slice('Bearer '.length));
      if (isEnded) response.writeHead(401, { 'www-authenticate': challenge });
      response.end('ok');
    });
    return startLimited({ leads });
  }

  it('is charged neither to its user and session nor to its address [S-21]', async () => {
    const session = { sub: crypto.randomUUID(), sid: crypto.randomUUID() };
    const ended = await issuer.token({ ...session, name: 'Earlier' });
    const renewed = await issuer.token(session);
    const { port } = await startEnding(new Set([ended]));
    for (const token of [ended, renewed]) await makeKnown(port, token);
    const elsewhere = { 'x-forwarded-for': '203.0.113.201' };
    expect(await letThrough(port, 3 * perMinute, { ...bearer(ended), ...elsewhere })).toBe(perMinute);
    expect(await letThrough(port, 1, elsewhere)).toBe(1);
    expect(await letThrough(port, perMinute, { ...bearer(renewed), ...elsewhere })).toBe(perMinute);
  });

  it('is not charged to its session from the second request on, whoever is known by then', async () => {
    const session = { sub: crypto.randomUUID(), sid: crypto.randomUUID() };
    const ended = await issuer.token({ ...session, name: 'Earlier' });
    const renewed = await issuer.token(session);
    const parked: (() => void)[] = [];
    const leads = await startUpstream((request, response) => {
      const isEnded = request.headers.authorization === `Bearer ${ended}`;
      if (isEnded) response.writeHead(401, { 'www-authenticate': invalid });
      if (request.url?.includes('parked')) parked.push(() => response.end());
      else response.end('ok');
    });
    const { port } = await startLimited({ leads });
    await makeKnown(port, renewed);
    const elsewhere = { 'x-forwarded-for': '203.0.113.203' };
    // The first one is counted by address: nobody knows the token yet.
    await send(port, '/api/leads', { headers: { ...bearer(ended), ...elsewhere } });
    const flood = Array.from({ length: perMinute }, () =>
      send(port, '/api/leads?parked', { headers: { ...bearer(ended), ...elsewhere } }),
    );
    await eventually(() => parked.length === perMinute);
    expect(await letThrough(port, perMinute, { ...bearer(renewed), ...elsewhere })).toBe(perMinute);
    for (const finish of parked) finish();
    await Promise.all(flood);
  });

  it('stays charged to its session if only a further proof is asked for', async () => {
    const token = await issuer.token();
    const challenge = 'Bearer error="insufficient_user_authentication", max_age=300';
    const { port } = await startEnding(new Set([token]), challenge);
    await makeKnown(port, token);
    const elsewhere = { 'x-forwarded-for': '203.0.113.202' };
    expect(await letThrough(port, 2 * perMinute, { ...bearer(token), ...elsewhere })).toBe(perMinute);
    expect(await letThrough(port, 1, elsewhere)).toBe(1);
  });
});

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** A promise, and what settles it. */
function deferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] = () => undefined;
  let reject: Deferred<Value>['reject'] = () => undefined;
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

describe('a token that requests bring at once', () => {
  /** Users whose verifications end when the test says so. */
  function slowUsers() {
    const verifications: Deferred<Identity>[] = [];
    const verify = async () => {
      const verification = deferred<Identity>();
      verifications.push(verification);
      return verification.promise;
    };
    const users = new KnownUsers({ verifier: { verify, close: () => undefined }, now: () => 0 });
    const settle = async (n: number, identity?: Partial<Identity>) => {
      if (identity) verifications[n]?.resolve(identity as Identity);
      else verifications[n]?.reject(new Error('no key'));
      await verifications[n]?.promise.catch(() => undefined);
      await pause(0);
    };
    return { users, verifications, settle };
  }
  const identity = { userId: 'ada', sessionId: 'first', expiresAt: 60 };

  it('is verified once, and again if that failed', async () => {
    const { users, verifications, settle } = slowUsers();
    const token = await issuer.token();
    users.learn(token);
    users.learn(token);
    expect(verifications).toHaveLength(1);
    await settle(0);
    expect(users.find(token)).toBeUndefined();
    users.learn(token);
    await settle(1, identity);
    expect(users.find(token)).toMatchObject({ isRefused: false });
  });

  it.each(['before', 'after'])('stays refused, if a service refuses it %s it is verified', async (moment) => {
    const { users, settle } = slowUsers();
    const token = await issuer.token();
    users.learn(token);
    if (moment === 'before') users.distrust(token);
    await settle(0, identity);
    if (moment === 'after') users.distrust(token);
    users.learn(token);
    expect(users.find(token)).toMatchObject({ isRefused: true });
  });
});

describe('a caller who is not signed in', () => {
  it('gains nothing by forged tokens, however many [S-21]', async () => {
    const { port } = await startLimited();
    const stranger = await createTestIssuer({ issuer: issuer.issuer });
    await makeKnown(port, await issuer.token());
    const headers = { 'x-forwarded-for': '198.51.100.2' };
    let passed = 0;
    for (let n = 0; n < 3 * perMinute; n += 1) {
      const forged = [await stranger.token(), 'a.b.c', await issuer.token({ exp: 1, iat: 0 })][n % 3]!;
      passed += await letThrough(port, 1, { ...headers, ...bearer(forged) });
    }
    expect(passed).toBe(perMinute);
  });

  it('gains nothing by a token that has expired [S-21]', async () => {
    const now = Date.now.bind(Date);
    let aheadMs = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    onTestFinished(() => clock.mockRestore());
    const { port } = await startLimited();
    const issuedAt = Math.floor(now() / 1_000);
    const token = await issuer.token({ iat: issuedAt, exp: issuedAt + 30 });
    await makeKnown(port, token);
    aheadMs = 30_000;
    expect(await letThrough(port, 1, bearer(token))).toBe(0);
  });

  it('waits for no key of an auth service that does not answer', async () => {
    const silent = await startUpstream(() => undefined);
    const { port } = await startLimited({ ROUTES: [`/api/auth=${silent.url}`] });
    expect(await letThrough(port, 2 * perMinute, bearer(await issuer.token()))).toBe(perMinute);
    expect(silent.requests).not.toEqual([]);
  });
});

describe('what the gateway answers by itself', () => {
  const asked = async (text: string) => {
    const { port } = await startLimited({ TRUST_PROXY: [] });
    const statuses: string[] = [];
    for (let n = 0; n < perMinute + 5; n += 1) statuses.push((await exchange(port, text)).slice(9, 12));
    return statuses;
  };
  const end = 'Host: h\r\nConnection: close\r\n\r\n';

  it.each([
    ['an unknown path', `GET /nowhere HTTP/1.1\r\n${end}`, '404'],
    ['a malformed path', `GET /api/leads/../auth HTTP/1.1\r\n${end}`, '400'],
    ['a path that is no text', `GET /api/leads/%ff HTTP/1.1\r\n${end}`, '400'],
    ['two lengths', `POST /api/leads HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n${end}`, '400'],
    ['no Host', 'GET /api/leads HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['an expectation', `GET /api/leads HTTP/1.1\r\nExpect: x\r\n${end}`, '417'],
    ['a head that is too large', `GET /api/leads HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${end}`, '431'],
    ['what is not HTTP', 'hello\r\n\r\n', '400'],
    ['a tunnel', `CONNECT h:22 HTTP/1.1\r\n${end}`, '405'],
    ['TRACE', `TRACE /api/leads HTTP/1.1\r\n${end}`, '405'],
  ])('counts: %s [S-18]', async (_what, text, status) => {
    const statuses = await asked(text);
    expect(statuses.slice(0, perMinute)).toEqual(Array.from({ length: perMinute }, () => status));
    expect(statuses.slice(perMinute)).toEqual(Array.from({ length: 5 }, () => '429'));
  });

  it('counts preflights as well, ten for each request [S-18]', async () => {
    const { port } = await startLimited();
    const headers = {
      'x-forwarded-for': office,
      origin: 'http://localhost:5173',
      'access-control-request-method': 'GET',
    };
    const answers = await Promise.all(
      Array.from({ length: 11 * perMinute }, () => send(port, '/api/leads', { method: 'OPTIONS', headers })),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(10 * perMinute);
    expect(await letThrough(port, 1, {})).toBe(1);
  });

  it('is in the shape of its path, also where the request is not even HTTP [S-140]', async () => {
    const auth = await startUpstream((_request, response) => void response.end('ok'));
    const { port } = await startGateway([`/api/auth=${auth.url}`, `/api/leads=${auth.url}`]);
    const shapes = async (path: string) => {
      const texts = [
        `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: h\r\nExpect: x\r\nConnection: close\r\n\r\n`,
        `GET ${path}/%2e%2e HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
        `GET ${path} HTTP/9.9\r\nHost: h\r\n\r\n`,
      ];
      const answers = await Promise.all(texts.map((text) => exchange(port, text)));
      return answers.map((answer) => {
        const body = JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { code?: string };
        return body.code === undefined ? 'envelope' : 'plain';
      });
    };
    expect(new Set(await shapes('/api/leads/1'))).toEqual(new Set(['envelope']));
    expect(new Set(await shapes('/api/auth/session'))).toEqual(new Set(['plain']));
  });
});

it('an upload that its client aborts is not an error in the log', async () => {
  const leads = await startUpstream((request) => void request.resume().on('error', () => undefined));
  const { port, logs } = await startGateway([`/api/leads=${leads.url}`]);
  for (const length of [10, 100_000]) {
    const broken = exchange(
      port,
      `POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n{`,
    );
    await pause(100);
    void broken.catch(() => undefined);
  }
  await eventually(() => leads.requests.length === 1);
  expect(logs()).not.toMatch(/"level":"(?:warn|error|fatal)"/);
});
