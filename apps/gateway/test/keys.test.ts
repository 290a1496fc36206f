import { randomBytes, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { LocatedTokens } from '@tenantry/service/tokens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceTokens } from '../src/callers/service-tokens.ts';
import { eventually, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream, stop, unusedPort } from './support/upstream.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await createTestIssuer();
});
afterAll(() => issuer.close());

const apiKeys = new LocatedTokens('tak_');
const newKey = () => apiKeys.make({ ownerId: randomUUID(), id: randomUUID() }).token;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const invalidToken = 'Bearer error="invalid_token", error_description="It has ended."';

interface Account {
  readonly sub: string;
  readonly sid: string;
}

/** auth-service as the gateway sees it: it exchanges the keys that it knows. */
async function startAuth({ hold }: { readonly hold?: (key: string) => Promise<void> } = {}) {
  const accounts = new Map<string, Account>();
  const asked: string[] = [];
  const garbage: string[] = [];
  const refusals: { status: number; headers?: Record<string, string>; code: string }[] = [];
  const answer = async (body: string) => {
    const { key } = JSON.parse(body) as { key: string };
    asked.push(key);
    await hold?.(key);
    const account = accounts.get(key);
    const refusal = refusals[0] ?? (account ? undefined : { status: 401, code: 'INVALID_KEY' });
    if (refusal) {
      const said = { code: refusal.code, message: 'No.' };
      return { ...refusal, body: said };
    }
    const token = garbage[0] ?? (await issuer.serviceToken({ ...account, name: `exchange ${asked.length}` }));
    const tokenExpiresAt = new Date(Date.now() + 900_000).toISOString();
    return { status: 200, headers: {}, body: { token, tokenExpiresAt } };
  };
  const upstream = await startUpstream((request, response) => {
    if (request.url !== '/api/auth/service-token' || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    void text(request)
      .then(answer)
      .then(({ status, headers, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      });
  });
  const account = (key = newKey()): string => {
    accounts.set(key, { sub: randomUUID(), sid: randomUUID() });
    return key;
  };
  return { upstream, asked, refusals, garbage, account, forget: (key: string) => accounts.delete(key) };
}

/** A service that answers with the token that it got, and refuses those that have ended. */
async function startLeads() {
  const ended = new Set<string>();
  const bodies: string[] = [];
  const upstream = await startUpstream((request, response) => {
    const token = String(request.headers.authorization).slice('Bearer '.length);
    if (ended.has(token)) response.writeHead(401, { 'www-authenticate': invalidToken });
    void text(request).then((body) => {
      bodies.push(body);
      response.end(token);
    });
  });
  return { upstream, ended, bodies };
}

/** Where a request comes from and goes to, and further headers. */
interface Call {
  readonly address?: string;
  readonly path?: string;
  readonly cookie?: string;
}

async function start(
  options: Parameters<typeof startAuth>[0] = {},
  settings: Parameters<typeof startGateway>[1] = {},
) {
  const [auth, leads] = [await startAuth(options), await startLeads()];
  const routes = [`/api/auth=${auth.upstream.url}`, `/api/leads=${leads.upstream.url}`];
  const gateway = await startGateway(routes, { TRUST_PROXY: ['127.0.0.1'], ...settings });
  const call = (key: string, { address = '198.51.100.1', path = '/api/leads', ...more }: Call = {}) =>
    send(gateway.port, path, { headers: { 'x-forwarded-for': address, ...bearer(key), ...more } });
  return { auth, leads, gateway, call };
}

const nameIn = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { name: string }).name;
const codeIn = (answer: { readonly text: string }) =>
  (JSON.parse(answer.text) as { error: { code: string } }).error.code;

describe('a key', () => {
  it('is exchanged, and the service gets its token in its place [S-99]', async () => {
    const { auth, leads, call } = await start();
    const key = auth.account();
    const answer = await call(key, { cookie: '__Host-access=other' });
    expect(answer.status).toBe(200);
    expect(nameIn(answer.text)).toBe('exchange 1');
    const [request] = leads.upstream.requests;
    expect(JSON.stringify(request?.rawHeaders)).not.toContain('tak_');
    const [exchange] = auth.upstream.requests;
    expect(exchange?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.1',
      'x-request-id': request?.headers['x-request-id'],
      traceparent: request?.headers['traceparent'],
    });
    expect(exchange?.headers).not.toHaveProperty('authorization');
    expect(exchange?.headers).not.toHaveProperty('cookie');
  });

  it('is exchanged once for many requests, also if they come together', async () => {
    const { auth, call } = await start();
    const key = auth.account();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(key)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    await call(key);
    expect(auth.asked).toEqual([key]);
  });

  it('goes with a body as any other request', async () => {
    const { auth, leads, gateway } = await start();
    const body = randomBytes(200_000).toString('base64');
    const headers = { ...bearer(auth.account()), 'content-type': 'text/plain' };
    const answer = await send(gateway.port, '/api/leads', { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(leads.bodies).toEqual([body]);
  });

  it.each(['bEARER ', 'Bearer  ', 'bearer     '])(
    'is read after "%s", and replaces every Authorization [S-99]',
    async (scheme) => {
      const { auth, leads, gateway } = await start();
      const key = auth.account();
      const headers = { authorization: [`${scheme}${key}`, 'Basic b3RoZXI6'] } as never;
      const { status } = await send(gateway.port, '/api/leads', { headers });
      expect(status).toBe(200);
      const sent = leads.upstream.requests[0]?.rawHeaders ?? [];
      expect(sent.filter((name) => name.toLowerCase() === 'authorization')).toHaveLength(1);
      expect(JSON.stringify(sent)).not.toContain('tak_');
      expect((await send(gateway.port, '/api/auth/session', { headers })).status).toBe(403);
    },
  );

  it('is exchanged again once a service has refused its token [S-99]', async () => {
    const { auth, leads, call } = await start();
    const key = auth.account();
    const { text: first } = await call(key);
    leads.ended.add(first);
    expect((await call(key)).status).toBe(401);
    expect(nameIn((await call(key)).text)).toBe('exchange 2');
    auth.forget(key);
    leads.ended.add((await call(key)).text);
    expect((await call(key)).status).toBe(401);
    expect(codeIn(await call(key))).toBe('INVALID_KEY');
  });

  it.each([
    ['that auth-service does not know', newKey(), 1],
    ['of another length', 'tak_short', 0],
    ['with a letter that none has', `${newKey().slice(0, -1)}!`, 0],
    ['that is too long', `${newKey()}A`, 0],
  ])('%s is refused in the envelope, and reaches no service [S-100]', async (_name, key, asked) => {
    const { auth, leads, call } = await start();
    const answer = await call(key);
    expect([answer.status, codeIn(answer)]).toEqual([401, 'INVALID_KEY']);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(auth.asked).toHaveLength(asked);
    expect(leads.upstream.requests).toHaveLength(0);
  });

  it('is refused below /api/auth, with what to do, and goes no further [S-99]', async () => {
    const { auth, call } = await start();
    const key = auth.account();
    for (const path of ['/api/auth', '/api/auth/session', '/api/auth/service-token', '/api/auth/%6dembers']) {
      const answer = await call(key, { path });
      const { code, message } = JSON.parse(answer.text) as { code: string; message: string };
      expect([answer.status, code]).toEqual([403, 'USER_REQUIRED']);
      expect(message).toMatch(/Sign in/);
    }
    expect(auth.upstream.requests).toHaveLength(0);
  });

  it('that is exchanged too often is told when to come again', async () => {
    const { auth, call } = await start();
    auth.refusals.push({ status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '17' } });
    const answer = await call(auth.account());
    expect([answer.status, codeIn(answer), answer.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '17',
    ]);
  });

  it('leaves no trace of itself in the log [S-99]', async () => {
    const { auth, gateway, call } = await start();
    const key = auth.account();
    await call(key);
    await call(newKey());
    expect(gateway.logs()).not.toContain(key.slice(0, 20));
  });

  it('is a token like any other where no route leads to auth-service', async () => {
    const leads = await startLeads();
    const { port } = await startGateway([`/api/leads=${leads.upstream.url}`]);
    const key = newKey();
    expect((await send(port, '/api/leads', { headers: bearer(key) })).text).toBe(key);
  });
});

describe('while auth-service is away', () => {
  it('keys that were exchanged go on, and others are asked to come again [S-99]', async () => {
    const { auth, call } = await start();
    const key = auth.account();
    await call(key);
    await stop(auth.upstream);
    expect((await call(key)).status).toBe(200);
    const answer = await call(auth.account());
    expect([answer.status, codeIn(answer)]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it.each([500, 404, 200])('so it is when it answers %i without a token', async (status) => {
    const { auth, call } = await start();
    auth.refusals.push({ status, code: 'INTERNAL' });
    const answer = await call(auth.account());
    expect([answer.status, codeIn(answer)]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  });

  it.each(['token', 'a..c', 'a.bnVsbA.c', 'a.e30.c', 'a.W10.c'])(
    'so it is when it answers %s as the token',
    async (token) => {
      const { auth, leads, call } = await start();
      auth.garbage.push(token);
      const answer = await call(auth.account());
      expect([answer.status, codeIn(answer)]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
      expect(leads.upstream.requests).toHaveLength(0);
    },
  );

  it('another of its instances exchanges', async () => {
    const [auth, leads] = [await startAuth(), await startLeads()];
    const gone = await unusedPort();
    const addresses = `http://127.0.0.1:${gone}|${auth.upstream.url}`;
    const { port } = await startGateway([`/api/auth=${addresses}`, `/api/leads=${leads.upstream.url}`]);
    for (let n = 0; n < 4; n += 1) {
      expect((await send(port, '/api/leads', { headers: bearer(auth.account()) })).status).toBe(200);
    }
  });
});

describe('the requests of a key [S-100]', () => {
  const perMinute = 5;
  const limited = { RATE_LIMIT_PER_MINUTE: perMinute };

  it('count by its account: a flood of unknown keys from its address does not hold it up', async () => {
    const { auth, call } = await start({}, limited);
    const key = auth.account();
    expect((await call(key)).status).toBe(200);
    const flood: number[] = [];
    for (let n = 0; n < 2 * perMinute; n += 1) flood.push((await call(newKey())).status);
    expect(flood.filter((status) => status === 401)).toHaveLength(perMinute - 1);
    expect(flood.at(-1)).toBe(429);
    // Only what was let through was exchanged.
    expect(auth.asked).toHaveLength(perMinute);
    const passed: number[] = [];
    for (let n = 0; n < 2 * perMinute; n += 1) passed.push((await call(key)).status);
    expect(passed.filter((status) => status === 200)).toHaveLength(perMinute);
    // A stranger elsewhere is not concerned, nor is the key there.
    expect((await call(key, { address: '203.0.113.1' })).status).toBe(200);
    expect((await call(newKey(), { address: '203.0.113.1' })).status).toBe(401);
  });

  it('wait for no exchange of another address, however many are under way', async () => {
    const held: (() => void)[] = [];
    const slow = new Set<string>();
    const hold = (key: string) =>
      slow.has(key) ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve();
    const { auth, gateway, call } = await start({ hold });
    const flood = Array.from({ length: 200 }, () => {
      const key = newKey();
      slow.add(key);
      return call(key);
    });
    const shares = async () => {
      const text = await gateway.app.metrics.metrics();
      const found = text.matchAll(/^tenantry_shares\{shared="key-exchanges",state="(\w+)"\} (\d+)$/gm);
      return new Map(Array.from(found, ([, state, value]) => [state, Number(value)] as const));
    };
    await expect.poll(async () => (await shares()).get('waiting')).toBeGreaterThan(150);
    const running = (await shares()).get('running');
    expect(running).toBeLessThanOrEqual(16);
    await eventually(() => held.length === running);
    expect((await call(auth.account(), { address: '203.0.113.1' })).status).toBe(200);
    slow.clear();
    for (const finish of held) finish();
    await Promise.all(flood);
  });
});

describe('the tokens of keys', () => {
  let now = 0;
  const start = (lifetimeMs = 900_000) => {
    now = 1_800_000_000_000;
    const asked: string[] = [];
    let gate: Promise<void> = Promise.resolve();
    const tokens = new ServiceTokens(
      async (key) => {
        asked.push(key);
        await gate;
        const account = { userId: 'account', sessionId: 'key' };
        return { token: `token ${asked.length}`, account, expiresAtMs: now + lifetimeMs };
      },
      { now: () => now },
    );
    const use = async (text: string) => {
      const key = tokens.read(text)!;
      key.token = tokens.find(key) ?? (await tokens.take(key, { address: '198.51.100.1' }, []));
      return key;
    };
    return { tokens, asked, use, close: (until: Promise<void>) => (gate = until) };
  };

  it('are used for a minute, and not a moment longer than they are valid [S-99]', async () => {
    const { use, asked } = start();
    const key = newKey();
    await use(key);
    now += 59_999;
    await use(key);
    expect(asked).toHaveLength(1);
    now += 1;
    await use(key);
    expect(asked).toHaveLength(2);

    const short = start(5_000);
    await short.use(key);
    now += 4_999;
    await short.use(key);
    expect(short.asked).toHaveLength(1);
    now += 1;
    await short.use(key);
    expect(short.asked).toHaveLength(2);
  });

  it('are 10,000 at most: the one that was exchanged first makes room', async () => {
    const { use, asked, tokens } = start();
    const all = Array.from({ length: 10_001 }, newKey);
    for (const key of all) await use(key);
    const isKept = (key?: string) => tokens.find(tokens.read(key ?? '')!) !== undefined;
    expect([isKept(all[0]), isKept(all[1]), isKept(all.at(-1))]).toEqual([false, true, true]);
    expect(asked).toHaveLength(10_001);
  });

  it('are not dropped for the refusal of an earlier one', async () => {
    const { use, tokens } = start();
    const key = newKey();
    const earlier = await use(key);
    now += 60_000;
    const later = await use(key);
    tokens.drop(earlier);
    expect(tokens.find(later)).toBe(later.token);
    tokens.drop(later);
    expect(tokens.find(later)).toBeUndefined();
    expect(tokens.accountOf(later)).toEqual({ userId: 'account', sessionId: 'key' });
    tokens.drop(tokens.read(newKey())!);
  });
});
