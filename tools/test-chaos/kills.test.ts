import { setTimeout as sleep } from 'node:timers/promises';
import { isThorough, thorough } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { deploy, type Client, type Deployment, type Replica } from './support/deployment.ts';
import { failuresAmong, startLoad, type Answer, type Load } from './support/load.ts';

const people = 8;
const signInsPerMinute = 100;

describe('kill -9 under load', () => {
  let postgres: DatabaseServer;
  let deployment: Deployment;
  let load: Load;

  beforeAll(async () => {
    postgres = await startDatabaseServer();
    deployment = await deploy({
      postgres,
      gateways: 2,
      replicas: { 'auth-service': 2, 'leads-service': 2 },
      settings: { 'auth-service': { RATE_LIMIT_SIGN_IN_PER_MINUTE: String(signInsPerMinute) } },
    });
    load = await startLoad({ urls: deployment.gateways.map(({ url }) => url), people });
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
    await postgres.stop();
  });

  const failed = (answers: readonly Answer[]) => answers.filter(({ status }) => status < 200 || status > 299);
  const pids = () => deployment.all().map(({ process }) => process.pid);
  const alive = (replica: Replica) => fetch(`${replica.url}/api/health/live`).then(({ ok }) => ok);

  it.each<Client>(isThorough ? ['leads-service', 'auth-service'] : ['leads-service'])(
    'of one of two instances of %s fails only what was in flight there, with 502 or 503, and nothing after it',
    async (service) => {
      for (const replica of deployment.of(service).slice(0, thorough(2, 1))) {
        await load.rounds(2);
        const killedAt = performance.now();
        await replica.kill();
        await load.rounds(4);
        await replica.start();
        await load.rounds(2);
        const lost = failed(load.since(killedAt - 1_000));
        // No user has more than one request under way.
        expect(lost.length, failuresAmong(lost).join('\n')).toBeLessThanOrEqual(people);
        for (const { status, askedAt, tookMs } of lost) {
          expect([502, 503]).toContain(status);
          expect(askedAt - killedAt).toBeLessThan(1_000);
          expect(tookMs).toBeLessThan(5_000);
        }
      }
    },
  );

  it.skipIf(!isThorough)('of one of two gateways breaks only connections to it', async () => {
    const [gateway] = deployment.gateways;
    const killedAt = performance.now();
    await gateway?.kill();
    await load.rounds(4);
    await gateway?.start();
    await load.rounds(2);
    for (const { status, askedAt, text } of failed(load.since(killedAt - 1_000))) {
      expect([status, text]).toEqual([0, expect.stringContaining('fetch failed')]);
      // The balancer of the load reads readiness every 100 ms.
      expect(askedAt - killedAt).toBeLessThan(1_000);
    }
  });

  it('of PostgreSQL is 503 with Retry-After while it is down, ends no process, and recovers within 5 s of its return [S-164]', async () => {
    const before = pids();
    const killedAt = performance.now();
    await postgres.kill();
    await sleep(2_000);
    await load.rounds(1);
    const away = load.since(killedAt + 500);
    expect(away.length).toBeGreaterThan(people);
    await postgres.restart();
    const backAt = performance.now();
    await sleep(5_000);
    await load.rounds(2);

    const answers = load.since(killedAt);
    for (const { status, retryAfter, tookMs, text } of failed(answers)) {
      expect([status, retryAfter], text).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(tookMs).toBeLessThan(10_000);
    }
    expect(failuresAmong(load.since(backAt + 5_000))).toEqual([]);
    expect(pids()).toEqual(before);
    expect(await Promise.all(deployment.all().map(alive))).not.toContain(false);
  });

  it('of Redis fails no request, and limits hold [S-164]', async () => {
    const { redis } = deployment;
    if (!redis) return;
    const beganAt = performance.now();
    const attempt = async (index: number) => {
      const { url } = deployment.gateways[index % 2] ?? deployment;
      const response = await fetch(`${url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
        body: JSON.stringify({ email: `nobody-${index}@people.example`, password: 'not the password' }),
      });
      await response.text();
      return response.status;
    };
    const attempts = async (count: number) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 10) {
        const ten = Array.from({ length: 10 }, (_, offset) => attempt(index + offset));
        statuses.push(...(await Promise.all(ten)));
      }
      return statuses.filter((status) => status !== 429);
    };
    expect(await attempts(2 * signInsPerMinute)).toEqual(Array<number>(signInsPerMinute).fill(401));
    await redis.kill();
    await load.rounds(2);
    // Each process continues from its own count.
    const processes = deployment.of('auth-service').length;
    expect((await attempts(3 * signInsPerMinute)).length).toBeLessThanOrEqual(
      (processes - 1) * signInsPerMinute,
    );
    await redis.restart();
    await load.rounds(2);
    expect(await attempts(20)).toEqual([]);
    expect(failuresAmong(load.since(beganAt))).toEqual([]);
  });

  it('loses nothing that was acknowledged, makes nothing twice, and signs no user out [S-164]', async () => {
    await load.stop();
    await load.expectNothingLost();
    expect(load.answers.filter(({ status }) => status === 401)).toEqual([]);
  });
});
