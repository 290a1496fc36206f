import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applyMigrations,
  connected,
  provisionDatabase,
  startTemporaryPostgres,
  type DatabaseUrls,
  type Postgres,
} from '@tenantry/dev-database';
import { resolveMigration } from '../src/migrations/apply.ts';
import { createService, type ServiceFixture } from './fixture/service.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startTemporaryPostgres();
});
afterAll(() => postgres.stop());

async function setUp(): Promise<{
  service: ServiceFixture;
  urls: DatabaseUrls;
  apply: () => Promise<string[]>;
}> {
  const service = await createService();
  const database = `apply_${randomBytes(6).toString('hex')}`;
  const urls = await provisionDatabase({ adminUrl: postgres.adminUrl, service: service.name, database });
  return {
    service,
    urls,
    apply: () => applyMigrations({ projectRoot: service.projectRoot, url: urls.ownerUrl }),
  };
}

const rows = (url: string, text: string) =>
  connected(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

describe('applyMigrations', () => {
  it('applies what is pending, in order, and nothing twice', async () => {
    const { service, urls, apply } = await setUp();
    expect(await apply()).toEqual(['20260101000000_init']);
    expect(await apply()).toEqual([]);
    await service.migration('20260103000000_second', 'INSERT INTO log VALUES (2);');
    await service.migration(
      '20260102000000_first',
      'CREATE TABLE log (step int); INSERT INTO log VALUES (1);',
    );
    expect(await apply()).toEqual(['20260102000000_first', '20260103000000_second']);
    expect(await rows(urls.ownerUrl, 'SELECT step FROM log')).toEqual([{ step: 1 }, { step: 2 }]);
  });

  it('keeps the history as the prisma command does, and lets the service read it', async () => {
    const { urls, apply } = await setUp();
    await apply();
    const history = 'SELECT migration_name, applied_steps_count, rolled_back_at FROM _prisma_migrations';
    expect(await rows(urls.runtimeUrl, history)).toEqual([
      { migration_name: '20260101000000_init', applied_steps_count: 1, rolled_back_at: null },
    ]);
    await expect(rows(urls.runtimeUrl, 'DELETE FROM _prisma_migrations')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('applies once when several processes start concurrently', async () => {
    const { service, urls } = await setUp();
    await service.migration('20260102000000_slow', 'CREATE TABLE log (step int); SELECT pg_sleep(0.5);');
    const module = new URL('../src/migrations/apply.ts', import.meta.url).href;
    const program = `
      const { applyMigrations } = await import(${JSON.stringify(module)});
      console.log(JSON.stringify(await applyMigrations(${JSON.stringify({ projectRoot: service.projectRoot, url: urls.ownerUrl })})));`;
    const applied = await Promise.all([1, 2, 3].map(() => output(program)));
    expect(applied.flat().sort()).toEqual(['20260101000000_init', '20260102000000_slow']);
    expect(await rows(urls.ownerUrl, 'SELECT count(*)::int AS n FROM _prisma_migrations')).toEqual([
      { n: 2 },
    ]);
  });

  it('waits for another migration, and says so', async () => {
    const { service, urls } = await setUp();
    const said: string[] = [];
    await connected(urls.ownerUrl, async (client) => {
      // The lock of Prisma's own commands.
      await client.query('SELECT pg_advisory_lock(72707369)');
      const applied = applyMigrations({
        projectRoot: service.projectRoot,
        url: urls.ownerUrl,
        log: (message) => void said.push(message),
      });
      await expect.poll(() => said).toEqual(['Waiting for another migration of this database to end']);
      await client.query('SELECT pg_advisory_unlock(72707369)');
      expect(await applied).toEqual(['20260101000000_init']);
    });
  });

  it('names the line of a failed migration, keeps nothing of it and takes the corrected one', async () => {
    const { service, urls, apply } = await setUp();
    await service.migration(
      '20260102000000_bad',
      'CREATE TABLE half (id int);\n\nALTER TABLE nowhere ADD COLUMN x int;',
    );
    await expect(apply()).rejects.toThrow(
      'Migration 20260102000000_bad of thing-service failed: relation "nowhere" does not exist. Nothing of it was kept. Correct prisma/migrations/20260102000000_bad/migration.sql, then run: npm run migrate -- thing-service',
    );
    expect(await rows(urls.ownerUrl, "SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    await service.migration('20260102000000_bad', 'CREATE TABLE half (id int);\n\nSELECT 1 FROM nowhere;');
    await expect(apply()).rejects.toThrow('relation "nowhere" does not exist (line 3)');
    await service.migration('20260102000000_bad', 'CREATE TABLE whole (id int);');
    expect(await apply()).toEqual(['20260102000000_bad']);
  });

  it('asks for a decision when a failed migration was not one transaction', async () => {
    const { service, urls, apply } = await setUp();
    const name = '20260102000000_parts';
    await service.migration(name, 'BEGIN; CREATE TABLE half (id int); COMMIT; SELECT 1 FROM nowhere;');
    const decision = `npm run migrate -- thing-service --rolled-back ${name}, or --applied ${name}`;
    await expect(apply()).rejects.toThrow(decision);
    await expect(apply()).rejects.toThrow(decision);
    await rows(urls.ownerUrl, 'DROP TABLE half');
    const settled = { projectRoot: service.projectRoot, url: urls.ownerUrl, migration: name };
    await resolveMigration({ ...settled, as: 'rolled-back' });
    await expect(apply()).rejects.toThrow(decision);
    await resolveMigration({ ...settled, as: 'applied' });
    expect(await apply()).toEqual([]);
  });

  it.each([
    ['the word in a comment', '-- we call the office\n/* and commit */ CREATE TABLE kept ();'],
    ['columns of such names', 'CREATE TABLE kept (call text, vacuum text, commit text);'],
    ['the word in a text', `CREATE TABLE kept (); COMMENT ON TABLE kept IS E'don\\'t; commit';`],
    ['the word in a quoted name', 'CREATE TABLE kept ("a; commit" text);'],
    ['a function', 'CREATE FUNCTION f() RETURNS int RETURN 1; CREATE TABLE kept ();'],
    [
      'the body of a function',
      'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $f$ BEGIN NULL; COMMIT; END $f$; CREATE TABLE kept ();',
    ],
    [
      'an SQL body',
      'CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END; CREATE TABLE kept ();',
    ],
    ['a statement that is refused beside others', 'CREATE TABLE kept (); VACUUM;'],
  ])('knows that nothing is kept of a failed migration with %s', async (_case, script) => {
    const { service, urls, apply } = await setUp();
    await service.migration('20260102000000_harmless', `${script} SELECT 1 FROM nowhere;`);
    await expect(apply()).rejects.toThrow('Nothing of it was kept.');
    expect(await rows(urls.ownerUrl, "SELECT to_regclass('kept') AS kept")).toEqual([{ kept: null }]);
  });

  it.each([
    ['a transaction of its own', 'BEGIN; CREATE TABLE kept (); COMMIT; SELECT 1 FROM nowhere;'],
    ['another spelling of it', 'START TRANSACTION; CREATE TABLE kept (); END; SELECT 1 FROM nowhere;'],
    ['a commit behind a comment', 'CREATE TABLE kept (); /* now */ Commit; SELECT 1 FROM nowhere;'],
    [
      'a block that commits',
      'DO $$ BEGIN CREATE TABLE kept (); COMMIT; PERFORM FROM nowhere; END $$; -- alone',
    ],
    ['an index built concurrently', 'CREATE UNIQUE INDEX CONCURRENTLY kept ON doubles (id);'],
  ])('knows that a part may be kept of a failed migration with %s', async (_case, script) => {
    const { service, urls, apply } = await setUp();
    await service.migration(
      '20260102000000_doubles',
      'CREATE TABLE doubles AS SELECT 1 AS id FROM generate_series(1, 2);',
    );
    await service.migration('20260103000000_parts', script);
    await expect(apply()).rejects.toThrow('a part may have been kept');
    expect(await rows(urls.ownerUrl, "SELECT to_regclass('kept') AS kept")).toEqual([{ kept: 'kept' }]);
  });

  it('continues after a process that was killed while it migrated', async () => {
    const { urls, apply } = await setUp();
    await apply();
    await rows(
      urls.ownerUrl,
      `UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0; DROP SCHEMA app CASCADE;
       DROP TABLE things CASCADE; DROP TABLE parts`,
    );
    expect(await apply()).toEqual(['20260101000000_init']);
  });

  it('refuses a migration that was changed after it was applied', async () => {
    const { service, apply } = await setUp();
    await apply();
    await service.migration('20260101000000_init', 'SELECT 1;');
    await expect(apply()).rejects.toThrow(
      'Migration 20260101000000_init of thing-service was changed after it was applied.',
    );
  });

  it('points at the provisioning script when a role is missing', async () => {
    const { service, apply } = await setUp();
    await service.migration('20260102000000_grant', 'GRANT SELECT ON things TO tenantry_absent_service;');
    await expect(apply()).rejects.toThrow('The roles come from infra/postgres/provision.sh.');
  });

  it('reports a server that is away as such', async () => {
    const service = await createService();
    const url = 'postgresql://nobody:none@127.0.0.1:9/none';
    await expect(applyMigrations({ projectRoot: service.projectRoot, url })).rejects.toThrow(
      "Can't reach database server at `127.0.0.1:9`",
    );
  });
});

async function output(program: string): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return JSON.parse(Buffer.concat(chunks).toString()) as string[];
}
