import { setTimeout as sleep } from 'node:timers/promises';
import { findPgBouncer, isThorough, startPgBouncer, type TestPooler } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../test/support/instance.ts';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';

const seconds = 1_000;
const people = 8;
const program = isThorough ? findPgBouncer() : undefined;

describe.skipIf(!program)('a connection pooler under load', () => {
  let postgres: DatabaseServer;
  let pooler: TestPooler;
  let deployment: Deployment;
  let load: Load;

  beforeAll(async () => {
    postgres = await startDatabaseServer();
    const authUrl = await migratedDatabase(postgres, 'auth-service');
    const leadsUrl = await migratedDatabase(postgres, 'leads-service');
    pooler = await startPgBouncer({
      program: program!,
      directUrls: [authUrl, leadsUrl],
      settings: {
        // Before 1.21 sessions alone can prepare statements, and each holds a connection to the server.
        ...(!program?.preparesStatements && { pool_mode: 'session', default_pool_size: 30 }),
        ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout',
        query_wait_timeout: 3,
        server_login_retry: 1,
      },
    });
    deployment = await deploy({
      postgres: { adminUrl: postgres.adminUrl, port: pooler.port },
      gateways: 2,
      replicas: { 'auth-service': 2, 'leads-service': 2 },
      settings: {
        all: { TENANT_BINDING: 'transaction' },
        'auth-service': { DATABASE_DIRECT_URL: authUrl },
      },
    });
    load = await startLoad({ urls: deployment.gateways.map(({ url }) => url), people });
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
    await pooler.stop();
    await postgres.stop();
  });

  const pids = () => deployment.all().map(({ process }) => process.pid);

  it('that is killed is 503 with Retry-After while it is away, ends no process, and is over within 5 s of its return [S-164]', async () => {
    await load.rounds(2);
    expect(failuresAmong(load.answers)).toEqual([]);
    const before = pids();
    const killedAt = performance.now();
    await pooler.kill();
    await sleep(2 * seconds);
    await load.rounds(1);
    const away = load.since(killedAt + 500);
    expect(away.length).toBeGreaterThan(people);
    expect(failuresAmong(away)).not.toEqual([]);
    await pooler.restart();
    const backAt = performance.now();
    await sleep(5 * seconds);
    await load.rounds(2);

    for (const { status, retryAfter, tookMs, text } of load.since(killedAt)) {
      expect(tookMs).toBeLessThan(10 * seconds);
      if (status >= 200 && status < 300) continue;
      expect([status, retryAfter], text).toEqual([503, expect.stringMatching(/^\d+$/)]);
    }
    expect(failuresAmong(load.since(backAt + 5 * seconds))).toEqual([]);
    expect(pids()).toEqual(before);
  });

  it('loses nothing that was acknowledged, makes nothing twice, and signs no user out', async () => {
    await load.stop();
    await load.expectNothingLost();
    expect(load.answers.filter(({ status }) => status === 401)).toEqual([]);
  });
});
