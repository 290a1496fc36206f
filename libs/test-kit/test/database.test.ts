import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, startPostgres, startTestPostgres, type TestPostgres } from '@tenantry/test-kit';
import { connected } from '@tenantry/dev-database';

let postgres: TestPostgres;
let projectRoot: string;
beforeAll(async () => {
  postgres = await startTestPostgres();
  projectRoot = join(await mkdtemp(join(tmpdir(), 'tenantry-test-kit-')), 'sample-service');
  await migration(
    '20260101000000_init',
    'CREATE TABLE samples (id int); GRANT SELECT, INSERT ON samples TO tenantry_sample_service;',
  );
  await writeFile(
    join(projectRoot, 'prisma', 'schema.prisma'),
    'datasource db {\n  provider = "postgresql"\n}\n',
  );
});
afterAll(async () => {
  await postgres.stop();
  await rm(join(projectRoot, '..'), { recursive: true });
});

async function migration(name: string, script: string): Promise<void> {
  const directory = join(projectRoot, 'prisma', 'migrations', name);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'migration.sql'), script);
}

const create = () => createTestDatabase('sample-service', { adminUrl: postgres.adminUrl, projectRoot });
const rows = (url: string, text: string) =>
  connected(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

describe('createTestDatabase', () => {
  it('gives each caller a migrated database of its own', async () => {
    const [one, other] = await Promise.all([create(), create()]);
    await rows(one.runtimeUrl, 'INSERT INTO samples VALUES (1)');
    expect(await rows(one.ownerUrl, 'TABLE samples')).toEqual([{ id: 1 }]);
    expect(await rows(other.runtimeUrl, 'TABLE samples')).toEqual([]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('keeps owner and service apart as in production', async () => {
    const database = await create();
    await expect(rows(database.runtimeUrl, 'DROP TABLE samples')).rejects.toMatchObject({ code: '42501' });
    await expect(rows(database.runtimeUrl, 'CREATE TEMPORARY TABLE t (id int)')).rejects.toMatchObject({
      code: '42501',
    });
    expect(await rows(database.adminUrl, 'SELECT current_database() = $$postgres$$ AS other')).toEqual([
      { other: false },
    ]);
    await database.drop();
  });

  it('migrates once per set of migrations', async () => {
    const templates = () =>
      rows(
        postgres.adminUrl,
        "SELECT datname FROM pg_database WHERE datistemplate AND datname LIKE '%sample_template%'",
      );
    await (await create()).drop();
    const before = await templates();
    await (await create()).drop();
    expect(await templates()).toEqual(before);
    await migration('20260102000000_more', 'CREATE TABLE more (id int);');
    const database = await create();
    expect(await rows(database.ownerUrl, 'TABLE more')).toEqual([]);
    expect(await templates()).toHaveLength(before.length + 1);
    await database.drop();
  });

  it('is safe in several processes that begin concurrently', async () => {
    await migration('20260103000000_crowd', 'CREATE TABLE crowd (id int); SELECT pg_sleep(0.3);');
    const module = new URL('../src/index.ts', import.meta.url).href;
    const program = `
      const { createTestDatabase } = await import(${JSON.stringify(module)});
      const database = await createTestDatabase('sample-service', ${JSON.stringify({ adminUrl: postgres.adminUrl, projectRoot })});
      console.log(database.runtimeUrl);`;
    const run = async () => {
      const args = ['--conditions=@tenantry/source', '--input-type=module', '-e', program];
      return (await promisify(execFile)(process.execPath, args)).stdout.trim();
    };
    const urls = await Promise.all([run(), run(), run()]);
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect(await rows(url, 'TABLE samples')).toEqual([]);
  });

  it('creates the template again after a process that died while creating it', async () => {
    await migration('20260104000000_bad', 'SELECT 1 FROM nowhere;');
    await expect(create()).rejects.toThrow('20260104000000_bad of sample-service failed');
    await migration('20260104000000_bad', 'SELECT 1;');
    await (await create()).drop();
  });

  it('drops a database that is still in use', async () => {
    const database = await create();
    await connected(database.runtimeUrl, async () => database.drop());
    await expect(rows(database.runtimeUrl, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });
});

describe('a server of its own for fault tests', () => {
  it('is stopped and started again on the same port with its data', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tenantry-fault-'));
    const first = await startPostgres({ directory, durable: false });
    await rows(first.adminUrl, 'CREATE TABLE kept AS SELECT 1 AS id');
    await first.stop();
    const second = await startPostgres({ directory, durable: false, port: first.port });
    expect(second.adminUrl).toBe(first.adminUrl);
    expect(await rows(second.adminUrl, 'TABLE kept')).toEqual([{ id: 1 }]);
    await second.stop();
    await rm(directory, { recursive: true });
  });
});
