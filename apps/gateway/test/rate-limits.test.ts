import { startTestRedis } from '@tenantry/test-kit';
import { afterAll, describe, expect, it } from 'vitest';
import type { GatewayOptions } from '../src/app.ts';
import { eventually, pause, send, type Answer } from './support/client.ts';
import { startGateway, type RunningGateway } from './support/gateway.ts';
import { startRelay } from './support/relay.ts';
import { startUpstream } from './support/upstream.ts';

const redis = await startTestRedis();
afterAll(() => redis?.stop());

async function limitedGateway(
  settings: Parameters<typeof startGateway>[1] = {},
  options?: GatewayOptions,
): Promise<RunningGateway> {
  const upstream = await startUpstream(
    (_request, response) => void response.end(JSON.stringify({ status: 'healthy' })),
  );
  const routes = [`/api/auth=${upstream.url}`, `/api/leads=${upstream.url}`];
  return startGateway(routes, { RATE_LIMIT_PER_MINUTE: 5, ...settings }, options);
}

async function statuses(port: number, times: number, ask = (n: number) => ({ n, path: '/api/leads' })) {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) found.push((await send(port, ask(n).path)).status);
  return found;
}

const from = (port: number, client: string): Promise<Answer> =>
  send(port, '/api/leads', { headers: { 'x-forwarded-for': client } });

describe('requests of one address', () => {
  it('are limited together, whatever they ask for, unknown paths included [S-18]', async () => {
    const { port } = await limitedGateway();
    const paths = ['/api/leads', '/api/auth/session', '/nowhere', '/api/health', '/docs'];
    for (const path of paths) expect((await send(port, path)).status).not.toBe(429);
    for (const path of [...paths, '/elsewhere', '/internal/revocations']) {
      const { status, headers, text } = await send(port, path);
      expect({ path, status }).toEqual({ path, status: 429 });
      expect(headers).toMatchObject({
        'ratelimit-policy': '"requests-60";q=5;w=60',
        'ratelimit-limit': '5',
        'ratelimit-remaining': '0',
      });
      expect(headers['ratelimit']).toBe(`"requests-60";r=0;t=${headers['ratelimit-reset'] as string}`);
      expect(Number(headers['retry-after'])).toBeGreaterThan(50);
      const body = JSON.parse(text) as { code?: string; error?: { code: string } };
      expect(path.startsWith('/api/auth') ? body.code : body.error?.code).toBe('RATE_LIMITED');
    }
  });

  it('reach no service once they are too many', async () => {
    const leads = await startUpstream((_request, response) => void response.end('ok'));
    const { port } = await startGateway([`/api/leads=${leads.url}`], { RATE_LIMIT_PER_MINUTE: 5 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(port, '/api/leads')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(leads.requests).toHaveLength(5);
  });

  it('are those of a page, and not the preflights that its browser sends before them', async () => {
    const { port } = await limitedGateway({ RATE_LIMIT_PER_MINUTE: 14 });
    const origin = 'http://localhost:5173';
    for (let n = 0; n < 14; n += 1) {
      const asks = { origin, 'access-control-request-method': 'GET' };
      expect((await send(port, `/api/leads/${n}`, { method: 'OPTIONS', headers: asks })).status).toBe(204);
      expect((await send(port, `/api/leads/${n}`, { headers: { origin } })).status).toBe(200);
    }
    expect((await send(port, '/api/leads', { headers: { origin } })).status).toBe(429);
  });

  it('are not the probes of a supervisor at the same address', async () => {
    const { port } = await limitedGateway();
    await statuses(port, 10);
    const probes = await statuses(port, 10, (n) => ({ n, path: '/api/health/live' }));
    expect(new Set(probes)).toEqual(new Set([200]));
  });
});

describe('the address of a client [S-25]', () => {
  it('is not what it writes into X-Forwarded-For', async () => {
    const { port } = await limitedGateway();
    const found: number[] = [];
    for (let n = 0; n < 10; n += 1) found.push((await from(port, `198.51.100.${n}`)).status);
    expect(found.filter((status) => status === 200)).toHaveLength(5);
  });

  it('is what a trusted proxy says: clients behind one proxy do not share a bucket', async () => {
    const { port } = await limitedGateway({ TRUST_PROXY: ['127.0.0.1/32'] });
    for (let n = 0; n < 5; n += 1) await from(port, '198.51.100.1');
    expect((await from(port, '198.51.100.1')).status).toBe(429);
    expect((await from(port, '198.51.100.2')).status).toBe(200);
    // What precedes the address that the proxy saw was written by the client.
    expect((await from(port, '203.0.113.9, 198.51.100.1')).status).toBe(429);
    const own = (ip: string) => send(port, '/nowhere', { headers: { 'x-forwarded-for': ip } });
    expect((await own('203.0.113.8, 198.51.100.1')).status).toBe(429);
    expect((await own('198.51.100.2')).status).toBe(404);
  });

  it('is its whole /64 in IPv6', async () => {
    const { port } = await limitedGateway({ TRUST_PROXY: ['127.0.0.1'] });
    for (let n = 0; n < 5; n += 1) await from(port, `2001:db8:1:2::${n + 1}`);
    expect((await from(port, '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await from(port, '2001:db8:1:3::1')).status).toBe(200);
  });
});

describe.skipIf(!redis)('with Redis', () => {
  const settings = (port: number) => ({
    REDIS_URL: `redis://127.0.0.1:${port}`,
    TRUST_PROXY: ['127.0.0.1'],
    RATE_LIMIT_PER_MINUTE: 6,
  });
  const isHealthy = async ({ port }: RunningGateway, client: string) =>
    (await send(port, '/api/health', { headers: { 'x-forwarded-for': client } })).status === 200;
  /** Asks each time as another client: waiting must not use up what is tested. */
  const connected = async (gateway: RunningGateway) => {
    for (let n = 1; !(await isHealthy(gateway, `203.0.113.${n}`)); n += 1) await pause(50);
  };
  const sharingGateway = async (port: number, options?: GatewayOptions) => {
    const gateway = await limitedGateway(settings(port), options);
    await connected(gateway);
    return gateway;
  };

  it('instances count together [S-24]', async () => {
    const gateways = [await sharingGateway(redis!.port), await sharingGateway(redis!.port)];
    const answers: Answer[] = [];
    for (let n = 0; n < 10; n += 1) answers.push(await from(gateways[n % 2]!.port, '192.0.2.1'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429, 429]);
  });

  it('killed, limits continue immediately from their counts, and are shared again when it is back [S-24]', async () => {
    const [first, second] = [await sharingGateway(redis!.port), await sharingGateway(redis!.port)];
    for (let n = 0; n < 4; n += 1) expect((await from(first.port, '192.0.2.2')).status).toBe(200);

    const fallbacks = async () =>
      Number(/redis_fallbacks_total{.*} (\d+)/.exec(await first.app.metrics.metrics())?.[1]);
    const fallbacksBefore = await fallbacks();
    await redis!.kill();
    const after = [];
    for (let n = 0; n < 4; n += 1) after.push((await from(first.port, '192.0.2.2')).status);
    // Never unlimited, never down, and without waiting for a time-out.
    expect(after).toEqual([200, 200, 429, 429]);
    expect(first.logs()).toContain('Redis is away');
    expect(first.logs()).not.toMatch(/time-?out/i);
    // What is over its limit here does not ask Redis.
    expect((await fallbacks()) - fallbacksBefore).toBe(2);
    expect((await from(second.port, '192.0.2.2')).status).toBe(200);

    await redis!.restart();
    await eventually(() => [first, second].every(({ logs }) => logs().includes('Redis is back')));
    const shared = [];
    for (let n = 0; n < 8; n += 1)
      shared.push((await from(n % 2 ? first.port : second.port, '192.0.2.3')).status);
    expect(shared).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    // It came back empty, and the process still knows.
    expect((await from(first.port, '192.0.2.2')).status).toBe(429);
  });

  it('that hangs is given up by the one request that notices, and no other waits for it', async () => {
    const relay = await startRelay(redis!.port);
    const gateway = await sharingGateway(relay.port, { redisAnswerMsMax: undefined });
    relay.hang();
    expect((await from(gateway.port, '192.0.2.9')).status).toBe(200);
    expect(relay.sent()).toContain('192.0.2.9');
    await eventually(() => gateway.logs().includes('Redis is away'));
    const found = [];
    for (let n = 0; n < 8; n += 1) found.push((await from(gateway.port, '192.0.2.4')).status);
    // What was never asked of Redis cannot have waited for its answer.
    expect(relay.sent()).not.toContain('192.0.2.4');
    expect(found).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);

    relay.resume();
    await eventually(() => gateway.logs().includes('Redis is back'));
  });

  it('that is away at the start is found later', async () => {
    await redis!.kill();
    const gateway = await limitedGateway(settings(redis!.port));
    expect((await from(gateway.port, '192.0.2.5')).status).toBe(200);
    await redis!.restart();
    await eventually(() => gateway.logs().includes('Redis is back'));
  });

  it('is part of the health of the gateway, and its password is not logged', async () => {
    const gateway = await sharingGateway(redis!.port);
    expect(await isHealthy(gateway, '192.0.2.6')).toBe(true);
    await redis!.kill();
    const without = await limitedGateway({
      ...settings(redis!.port),
      REDIS_URL: `redis://:canary-password@127.0.0.1:${redis!.port}`,
    });
    expect(await isHealthy(without, '192.0.2.7')).toBe(false);
    await eventually(() => without.logs().includes('Redis is away'));
    expect(without.logs()).not.toContain('canary-password');
    await redis!.restart();
  });
});
