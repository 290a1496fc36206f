import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connected,
  databaseNames,
  provisionDatabase,
  startTemporaryPostgres,
  withDatabase,
  type DatabaseUrls,
  type Postgres,
} from '@tenantry/dev-database';

let postgres: Postgres;
let urls: DatabaseUrls;
beforeAll(async () => {
  postgres = await startTemporaryPostgres();
  urls = await provisionDatabase({ adminUrl: postgres.adminUrl, service: 'thing-service' });
});
afterAll(() => postgres.stop());

const run = (url: string, text: string) =>
  connected(url, async (client) => (await client.query(text)).rows as unknown[]);

describe('a provisioned database', () => {
  it('is named after its service, and so are its roles', () => {
    expect(databaseNames('price-list-service')).toEqual({
      database: 'tenantry_price_list',
      owner: 'tenantry_price_list_owner',
      runtime: 'tenantry_price_list_service',
      search: 'tenantry_price_list_search',
    });
    expect(new URL(urls.ownerUrl).username).toBe('tenantry_thing_owner');
    expect(new URL(urls.runtimeUrl)).toMatchObject({
      username: 'tenantry_thing_service',
      pathname: '/tenantry_thing',
    });
  });

  it('gives no role more than it needs [S-111]', async () => {
    const roles = await run(
      postgres.adminUrl,
      `SELECT rolname FROM pg_roles WHERE rolname LIKE 'tenantry\\_%'
        AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)`,
    );
    expect(roles).toEqual([]);
  });

  it('lets the owner make objects and the service none', async () => {
    await run(urls.ownerUrl, 'CREATE TABLE things (id int); CREATE SCHEMA app; DROP SCHEMA app');
    await expect(run(urls.runtimeUrl, 'CREATE TABLE mine (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(run(urls.runtimeUrl, 'CREATE TEMPORARY TABLE mine (id int)')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(run(urls.runtimeUrl, 'CREATE SCHEMA mine')).rejects.toMatchObject({ code: '42501' });
    await expect(run(urls.runtimeUrl, 'TABLE things')).rejects.toMatchObject({ code: '42501' });
    await expect(run(urls.runtimeUrl, 'SET ROLE tenantry_thing_owner')).rejects.toMatchObject({
      code: '42501',
    });
    await run(urls.ownerUrl, 'DROP TABLE things');
  });

  it('is closed to the roles of other services [S-111]', async () => {
    const other = await provisionDatabase({ adminUrl: postgres.adminUrl, service: 'other-service' });
    for (const url of Object.values(other) as string[]) {
      await expect(run(withDatabase(url, 'tenantry_thing'), 'SELECT 1')).rejects.toMatchObject({
        code: '42501',
      });
    }
  });

  it('may be provisioned again, and by many concurrently', async () => {
    const again = () => provisionDatabase({ adminUrl: postgres.adminUrl, service: 'thing-service' });
    const fresh = () => provisionDatabase({ adminUrl: postgres.adminUrl, service: 'crowd-service' });
    const [first, ...rest] = await Promise.all([again(), ...Array.from({ length: 8 }, fresh)]);
    expect(first).toEqual(urls);
    expect(new Set(rest.map(({ runtimeUrl }) => runtimeUrl)).size).toBe(1);
    await run(rest[0]?.runtimeUrl ?? '', 'SELECT 1');
  });

  it('takes new passwords, and the old ones end', async () => {
    const wanted = { adminUrl: postgres.adminUrl, service: 'rotating-service' };
    const before = await provisionDatabase(wanted);
    const after = await provisionDatabase({ ...wanted, runtimePassword: `it's "new" and % odd` });
    await run(after.runtimeUrl, 'SELECT 1');
    await expect(run(before.runtimeUrl, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await run(after.ownerUrl, 'SELECT 1');
  });

  it('is refused when its roles may do more than they should', async () => {
    const wanted = { adminUrl: postgres.adminUrl, service: 'loose-service' };
    await provisionDatabase(wanted);
    await run(postgres.adminUrl, 'ALTER ROLE tenantry_loose_service BYPASSRLS');
    await expect(provisionDatabase(wanted)).rejects.toThrow(
      'role tenantry_loose_service may do more than it should',
    );
    await run(
      postgres.adminUrl,
      'ALTER ROLE tenantry_loose_service NOBYPASSRLS; GRANT tenantry_loose_owner TO tenantry_loose_service',
    );
    await expect(provisionDatabase(wanted)).rejects.toThrow('is a member of tenantry_loose_owner');
  });

  it('can be created by an administrator who is not a superuser', async () => {
    await run(postgres.adminUrl, `CREATE ROLE manager LOGIN CREATEDB CREATEROLE PASSWORD 'managed'`);
    const adminUrl = withDatabase(postgres.adminUrl, 'postgres', { user: 'manager', password: 'managed' });
    const managed = await provisionDatabase({ adminUrl, service: 'managed-service' });
    await run(managed.ownerUrl, 'CREATE TABLE things (id int)');
    await run(managed.runtimeUrl, 'SELECT 1');
  });
});

describe.runIf(await hasPsql())('infra/postgres/provision.sh', () => {
  it('does the same for operators', async () => {
    const script = new URL('../../../infra/postgres/provision.sh', import.meta.url).pathname;
    const { hostname, port, password } = new URL(postgres.adminUrl);
    const env = {
      PATH: process.env['PATH'],
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: 'postgres',
      PGPASSWORD: password,
      TENANTRY_SERVICES: 'scripted-service price-list-service',
      SCRIPTED_SERVICE_OWNER_PASSWORD: `own'er`,
      SCRIPTED_SERVICE_RUNTIME_PASSWORD: 'run"time',
      PRICE_LIST_SERVICE_OWNER_PASSWORD: 'a',
      PRICE_LIST_SERVICE_RUNTIME_PASSWORD: 'b',
    };
    for (const time of ['first', 'second']) {
      const { stdout } = await promisify(execFile)('sh', [script], { env });
      expect(stdout, time).toContain('tenantry_price_list');
    }
    const asRuntime = { user: 'tenantry_scripted_service', password: 'run"time' };
    const runtimeUrl = withDatabase(postgres.adminUrl, 'tenantry_scripted', asRuntime);
    await expect(run(runtimeUrl, 'CREATE TABLE mine (id int)')).rejects.toMatchObject({ code: '42501' });
    const asOwner = { user: 'tenantry_scripted_owner', password: `own'er` };
    await run(withDatabase(postgres.adminUrl, 'tenantry_scripted', asOwner), 'CREATE TABLE things (id int)');
  });
});

async function hasPsql(): Promise<boolean> {
  return promisify(execFile)('psql', ['--version']).then(
    () => true,
    () => false,
  );
}
