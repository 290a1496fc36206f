import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isThorough } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAsk, signUp, type Session } from './support/client.ts';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { failuresAmong, startLoad } from './support/load.ts';

/** Where Debian puts it, by architecture. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
if (isThorough && library === undefined) {
  console.log('Skipped: libfaketime is not installed, so every clock is right.');
}

const seconds = 1_000;
/** How much later than at its end a token may be accepted. */
const toleranceMs = 5 * seconds;

describe.skipIf(!isThorough || library === undefined)('the clock of leads-service', () => {
  let directory: string;
  let postgres: DatabaseServer;
  let deployment: Deployment;
  const ask = createAsk(() => deployment.url);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-clock-'));
    await writeFile(join(directory, 'offset'), '+0s');
    postgres = await startDatabaseServer();
    const faked = {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: join(directory, 'offset'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    deployment = await deploy({
      postgres,
      replicas: { 'auth-service': 1, 'leads-service': 1 },
      settings: { 'leads-service': faked },
    });
  });
  afterAll(async () => {
    await deployment.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function setClock(offsetSeconds: number): Promise<void> {
    await writeFile(join(directory, 'offset'), `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}s`);
    const health = await fetch(`${deployment.of('leads-service')[0]?.url}/api/health`);
    const { timestamp } = (await health.json()) as { timestamp: string };
    const offsetMs = Date.parse(timestamp) - Date.now();
    expect(Math.abs(offsetMs - offsetSeconds * seconds)).toBeLessThan(seconds);
  }

  async function restart(): Promise<void> {
    const [leads] = deployment.of('leads-service');
    await leads?.terminate();
    await leads?.start();
  }

  const leadsWith = async (token: string) => {
    const { status, text } = await ask({ method: 'GET', path: '/api/leads', token });
    const { error } = JSON.parse(text) as { error: { reason?: string } | null };
    return [status, error?.reason];
  };

  /** A token that ends in a few seconds, as its session does, and that time. */
  async function endingToken(): Promise<{ token: string; endsAtMs: number }> {
    const { email, refreshToken } = await signUp(ask);
    const database = new URL(deployment.environment('auth-service')['DATABASE_URL'] ?? '').pathname;
    const client = new pg.Client(Object.assign(new URL(postgres.adminUrl), { pathname: database }).href);
    await client.connect();
    const ofUser = 'WHERE user_id = (SELECT id FROM users WHERE email = $1)';
    await client.query(`UPDATE sessions SET expires_at = now() + interval '4 s' ${ofUser}`, [email]);
    await client.end();
    const { text } = await ask({ method: 'POST', path: '/api/auth/refresh', body: { refreshToken } });
    const { token } = (JSON.parse(text) as { session: Session }).session;
    const [, payload = ''] = token.split('.');
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number };
    expect(exp * seconds).toBeLessThan(Date.now() + 5 * seconds);
    return { token, endsAtMs: exp * seconds };
  }

  it.each([3, -3, 90, -90])('may be wrong by %i s without any effect', async (offset) => {
    await setClock(offset);
    await restart();
    const load = await startLoad({ urls: [deployment.url], people: 4 });
    await load.rounds(6);
    await load.stop();
    await load.expectNothingLost();
    expect(failuresAmong(load.answers)).toEqual([]);
  });

  it.each([-3, -90, -3_600])('lets no token live longer when it is set %i s back', async (offset) => {
    await setClock(0);
    const { token, endsAtMs } = await endingToken();
    expect(await leadsWith(token)).toEqual([200, undefined]);
    await setClock(offset);
    while (Date.now() < endsAtMs + toleranceMs + seconds) {
      const [status, reason] = await leadsWith(token);
      if (Date.now() < endsAtMs) expect(status).toBe(200);
      else expect([undefined, 'TOKEN_EXPIRED']).toContain(reason);
      await sleep(200);
    }
    expect(await leadsWith(token)).toEqual([401, 'TOKEN_EXPIRED']);
    expect(await leadsWith((await signUp(ask)).token)).toEqual([200, undefined]);
  });

  it('lets no token live longer when it is behind as it starts, and says so', async () => {
    await setClock(-90);
    const { token, endsAtMs } = await endingToken();
    await restart();
    await sleep(Math.max(0, endsAtMs + toleranceMs + seconds - Date.now()));
    expect(await leadsWith(token)).toEqual([401, 'TOKEN_EXPIRED']);
    expect(deployment.of('leads-service')[0]?.process.logs()).toContain('90 s behind');
  });

  it('that leaps ahead stops writes for no longer than it takes to read revocations', async () => {
    await setClock(0);
    const { token } = await signUp(ask);
    await setClock(90);
    const body = { name: 'Grace Hopper', email: 'grace@people.example' };
    const create = () => ask({ method: 'POST', path: '/api/leads', body, token });
    await expect.poll(async () => (await create()).status).toBe(201);
  });

  it('that is ahead by more than a token lives is the service’s fault, not the token’s', async () => {
    await setClock(0);
    const { token } = await signUp(ask);
    await setClock(1_000);
    expect(await leadsWith(token)).toEqual([503, 'CLOCK_AHEAD']);
    await setClock(0);
    expect(await leadsWith(token)).toEqual([200, undefined]);
  });
});
