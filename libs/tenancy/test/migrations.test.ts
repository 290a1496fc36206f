import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@tenantry/test-kit';
import { assertMigrated, pendingMigrations } from '../src/migrations.ts';

let projectRoot: string;
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  projectRoot = join(await mkdtemp(join(tmpdir(), 'tenantry-migrations-')), 'sample-service');
  await mkdir(join(projectRoot, 'prisma'), { recursive: true });
  await writeFile(
    join(projectRoot, 'prisma', 'schema.prisma'),
    'datasource db {\n  provider = "postgresql"\n}\n',
  );
  await migration('20260101000000_init', 'CREATE TABLE samples (id int)');
  database = await createTestDatabase('sample-service', { projectRoot });
  pool = new pg.Pool({ connectionString: database.runtimeUrl, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(join(projectRoot, '..'), { recursive: true });
});

async function migration(name: string, script: string): Promise<void> {
  const directory = join(projectRoot, 'prisma', 'migrations', name);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'migration.sql'), script);
}

const check = () => ({
  pool,
  service: 'sample-service',
  migrationsDirectory: join(projectRoot, 'prisma', 'migrations'),
});

async function asOwner(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

describe('a service on its database', () => {
  it('starts when every migration is applied', async () => {
    expect(await pendingMigrations(check())).toEqual([]);
    await expect(assertMigrated(check())).resolves.toBeUndefined();
  });

  it('starts on a database that is ahead', async () => {
    await rm(join(projectRoot, 'prisma', 'migrations', '20260101000000_init'), { recursive: true });
    await expect(assertMigrated(check())).resolves.toBeUndefined();
    await migration('20260101000000_init', 'CREATE TABLE samples (id int)');
  });

  it('refuses a database that is behind, naming the command to run', async () => {
    await migration('20260103000000_third', 'SELECT 1');
    await migration('20260102000000_second', 'SELECT 1');
    expect(await pendingMigrations(check())).toEqual(['20260102000000_second', '20260103000000_third']);
    await expect(assertMigrated(check())).rejects.toThrow(
      'The database of sample-service is behind: 20260102000000_second and 1 more is missing. Run: npm run migrate -- sample-service',
    );
  });

  it('refuses one whose migration was begun and not ended', async () => {
    await asOwner('UPDATE _prisma_migrations SET finished_at = NULL');
    expect(await pendingMigrations(check())).toContain('20260101000000_init');
  });

  it.each([
    ['has a history it may not read', 'REVOKE SELECT ON _prisma_migrations FROM tenantry_sample_service'],
    ['was never migrated', 'DROP TABLE _prisma_migrations'],
  ])('refuses one that %s', async (_, change) => {
    await asOwner(change);
    await expect(assertMigrated(check())).rejects.toThrow('npm run migrate -- sample-service');
  });

  it('passes on that the database is away', async () => {
    const away = new pg.Pool({ connectionString: 'postgresql://nobody@127.0.0.1:9/none' });
    await expect(assertMigrated({ ...check(), pool: away })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
