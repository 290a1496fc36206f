import { existsSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provisionDatabase, startPostgres, variablePrefix, type Postgres } from '@tenantry/dev-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverServices } from '../src/services.ts';
import { checkoutRoot, copyCheckout } from '../test/support/checkout.ts';
import { call, newTenant } from '../test/support/client.ts';
import { eventually, npmStart, runNpmStart, type Tenantry } from '../test/support/tenantry.ts';

describe('npm start on databases of the environment', () => {
  let parent: string;
  let root: string;
  let postgres: Postgres;
  let running: Tenantry;

  const startServer = (port?: number) =>
    startPostgres({
      directory: join(parent, 'postgres'),
      durable: false,
      ...(port !== undefined && { port }),
    });

  beforeAll(async () => {
    parent = await realpath(await mkdtemp(join(tmpdir(), 'tenantry-own-')));
    // Under root the server runs as another user, who must be able to enter.
    await chmod(parent, 0o755);
    root = join(parent, 'checkout');
    await copyCheckout(root);
    postgres = await startServer();
    running = await npmStart(root, [], await databaseAddresses(postgres.adminUrl));
  });
  afterAll(async () => {
    // Either is missing when it did not start.
    await (running as Tenantry | undefined)?.stop();
    await (postgres as Postgres | undefined)?.stop();
    await rm(parent, { recursive: true, force: true });
  });

  it('names the setting of one that does not answer, in one sentence', async () => {
    const other = join(parent, 'other');
    await copyCheckout(other);
    const LEADS_SERVICE_DATABASE_URL = 'postgresql://leads:secret@127.0.0.1:1/leads';
    const { code, stdout, stderr } = await runNpmStart(other, [], { PORT: '0', LEADS_SERVICE_DATABASE_URL });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n\n').at(-1)).toBe(
      'No database answers at 127.0.0.1:1 (ECONNREFUSED): start it, or correct LEADS_SERVICE_DATABASE_URL.\n',
    );
  });

  it('migrates and uses them, and embeds nothing', async () => {
    const ada = await newTenant(running.url, 'Ada');
    expect((await call(running.url, 'GET /api/leads', ada)).body).toMatchObject({ meta: { total: 0 } });
    expect(existsSync(join(root, '.tenantry/postgres'))).toBe(false);
  });

  it('answers 503 in the envelope while PostgreSQL is away, and resumes by itself when it is back', async () => {
    const { url } = running;
    const ada = await newTenant(url, 'Ada');
    const { port } = postgres;
    await postgres.stop();

    const away = await call(url, 'GET /api/leads', ada);
    expect(away).toMatchObject({
      status: 503,
      body: { data: null, error: { code: 'UPSTREAM_UNAVAILABLE' } },
    });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    await eventually(async () => {
      expect(await call(url, 'GET /api/health')).toMatchObject({
        status: 503,
        body: { checks: { database: 'unhealthy' } },
      });
    });
    // The gateway itself is well, and can still answer.
    expect((await call(url, 'GET /api/health/live')).status).toBe(200);
    expect((await call(url, 'GET /api/health/ready')).status).toBe(200);

    postgres = await startServer(port);
    await eventually(async () => {
      expect((await call(url, 'GET /api/leads', ada)).status).toBe(200);
      expect((await call(url, 'GET /api/health')).status).toBe(200);
    });
  });
});

/** Databases on a server of the developer, named to `npm start` as its help says. */
async function databaseAddresses(adminUrl: string): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {};
  for (const { name, hasDatabase } of discoverServices(checkoutRoot)) {
    if (!hasDatabase) continue;
    const { ownerUrl, runtimeUrl } = await provisionDatabase({ adminUrl, service: name });
    addresses[`${variablePrefix(name)}_DATABASE_URL`] = runtimeUrl;
    addresses[`${variablePrefix(name)}_MIGRATION_DATABASE_URL`] = ownerUrl;
  }
  return addresses;
}
