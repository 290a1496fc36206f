import { globSync, readFileSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  applyMigrations,
  connected,
  provisionDatabase,
  startPostgres,
  startTemporaryPostgres,
  workspaceRoot,
  type Postgres,
} from '@tenantry/dev-database';
import { readMigrateCommand } from '../src/migrations/arguments.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { writeSearchMigrations } from '../src/migrations/write-search.ts';
import { writeMigration } from '../src/migrations/write.ts';
import { temporaryDirectory } from './fixture/directories.ts';
import { createService, things, type ServiceFixture } from './fixture/service.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startTemporaryPostgres();
});
afterAll(() => postgres.stop());

/** Runs the command line, and returns what it printed. */
async function command(
  service: ServiceFixture,
  line: string,
  environment: NodeJS.ProcessEnv = {},
  directory = '/nonexistent',
) {
  const printed: string[] = [];
  const args = line.split(' ').filter((word) => word !== '');
  await migrate(readMigrateCommand(args, service.root), {
    environment: { TEST_DATABASE_ADMIN_URL: postgres.adminUrl, ...environment },
    directory,
    print: (text) => void printed.push(text),
  });
  return printed;
}

const withField = (line: string) => things.replace('  @@map("things")', `  ${line}\n  @@map("things")`);

describe('migrate --check', () => {
  it('finds nothing wrong with what lets a text be searched by an index', async () => {
    const service = await createService();
    await service.migration(
      '20260102000000_refuse',
      `CREATE FUNCTION app.refuse(reason text) RETURNS uuid LANGUAGE sql RETURN NULL::uuid;`,
    );
    expect(
      await command(service, `thing-service --search things --text search_text --where name<>''`),
    ).toEqual([
      expect.stringMatching(/\d{14}_search_things\/migration\.sql$/),
      expect.stringMatching(/\d{14}_things_by_trigrams\/migration\.sql$/),
    ]);
    const now = new Date(Date.now() + 10_000);
    const further = await writeSearchMigrations({ service, table: 'parts', text: 'id::text', now });
    expect(await readFile(further[0] ?? '', 'utf8')).not.toContain('FUNCTION');
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it('names what is not explained, and what to do', async () => {
    const service = await createService();
    await service.migration('20270201000000_next', '\nCREATE INDEX things_x ON things (lower(name), id);');
    const checked = command(service, '--check');
    await expect(checked).rejects.toThrow(/20270201000000_next, line 2: .*CREATE INDEX CONCURRENTLY/);
    await expect(checked).rejects.toThrow('-- safe: ');
  });

  it('passes over what Prisma does not model', async () => {
    const service = await createService();
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it.each([
    ['a column that no migration adds', withField('notes String?'), 'Added column `notes`'],
    ['a column that the schema lacks', things.replace(/name .*String/, ''), 'Removed column `name`'],
    [
      'a changed type',
      things.replace(/(name\s+)String/, '$1Int'),
      'Column `name` would be dropped and recreated (type changed)',
    ],
    [
      'an index that no migration makes',
      withField('@@index([organizationId, name])'),
      'Added index on columns (organization_id, name)',
    ],
    [
      'another primary key',
      things.replace('@@id([organizationId, id])\n  @@map("things")', '@@id([id])\n  @@map("things")'),
      'primary key',
    ],
    ['a table that the schema lacks', things.replace(/model Part[^}]*}/, ''), 'parts'],
  ])('names %s', async (_, models, difference) => {
    const service = await createService();
    await service.schema(models);
    const checked = command(service, '--check thing-service');
    await expect(checked).rejects.toThrow(difference);
    await expect(checked).rejects.toThrow('npm run migrate -- thing-service --name what-it-does');
  });

  it('compares an index that Prisma cannot express once the schema names it', async () => {
    const service = await createService();
    await service.schema(withField('@@index([organizationId, createdAt], map: "things_list")'));
    await expect(command(service, '--check')).rejects.toThrow('organization_id, created_at');
  });

  it('leaves out tables that prisma.config.ts lists as external', async () => {
    const service = await createService();
    await service.schema(things.replace(/model Part[^}]*}/, ''));
    await writeFile(
      join(service.projectRoot, 'prisma.config.ts'),
      `export default { experimental: { externalTables: true }, tables: { external: ['public.parts'] } };`,
    );
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it('fails on a migration that does not apply', async () => {
    const service = await createService();
    await service.migration('20260102000000_bad', 'SELECT 1 FROM nowhere');
    await expect(command(service, '--check')).rejects.toThrow(
      'Migration 20260102000000_bad of thing-service failed',
    );
  });

  it('leaves no database behind', async () => {
    const left = await connected(postgres.adminUrl, (client) =>
      client.query("SELECT datname FROM pg_database WHERE datname LIKE '%scratch%'"),
    );
    expect(left.rows).toEqual([]);
  });

  it('makes a server for itself where there is none', async () => {
    const service = await createService();
    expect(await command(service, '--check', { TEST_DATABASE_ADMIN_URL: undefined })).toHaveLength(1);
  });
});

describe('migrate --name', () => {
  it('writes the difference, with the rights that Prisma leaves out, so that the check then passes', async () => {
    const service = await createService();
    await service.schema(`${withField('notes String?')}
      model Note {
        organizationId String @map("organization_id") @db.Uuid
        id             String @db.Uuid
        @@id([organizationId, id])
        @@map("notes")
      }
      model Country {
        code String @id
        @@map("countries")
      }`);
    // What the policy calls is there in a real service since its first migration.
    await service.migration(
      '20260101000001_scope',
      `CREATE FUNCTION app.current_organization_id() RETURNS uuid LANGUAGE sql STABLE AS $$ SELECT NULL::uuid $$`,
    );
    const now = new Date('2026-02-03T04:05:06Z');
    const file = await writeMigration({ adminUrl: postgres.adminUrl, service, name: 'Add notes', now });
    expect(file).toBe(join(service.projectRoot, 'prisma/migrations/20260203040506_add_notes/migration.sql'));
    const script = await readFile(file ?? '', 'utf8');
    expect(script).toContain('ALTER TABLE "things" ADD COLUMN     "notes" TEXT;');
    expect(script).toContain('ALTER TABLE "notes" FORCE ROW LEVEL SECURITY;');
    expect(script).not.toContain('CREATE SCHEMA app');
    expect(script).toContain('GRANT SELECT, INSERT, UPDATE, DELETE ON "notes" TO tenantry_thing_service;');
    expect(script).toContain('ON "countries" TO tenantry_thing_service;');
    expect(script).not.toContain('ALTER TABLE "countries"');
    expect(script).not.toContain('DROP');
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it('begins the first migration of a service with the functions that policies ask', async () => {
    const service = await createService();
    await service.removeMigration('20260101000000_init');
    await command(service, 'thing-service --name init');
    const [name = ''] = await readdir(join(service.projectRoot, 'prisma/migrations'));
    const script = await readFile(
      join(service.projectRoot, 'prisma/migrations', name, 'migration.sql'),
      'utf8',
    );
    const functions = await readFile(join(workspaceRoot, 'libs/tenancy/sql/tenancy.sql'), 'utf8');
    expect(script.startsWith(functions)).toBe(true);
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it('gives a table its policy once it belongs to organizations', async () => {
    const service = await createService();
    const countries = 'model Country {\n  code String @id\n  @@map("countries")\n}';
    await service.schema(`${things}${countries}`);
    await command(service, 'thing-service --name add-countries');
    await service.migration(
      '20991231000000_scope',
      `CREATE FUNCTION app.current_organization_id() RETURNS uuid LANGUAGE sql STABLE AS $$ SELECT NULL::uuid $$`,
    );
    const owned = countries.replace('@id', '@id\n  organizationId String @map("organization_id") @db.Uuid');
    await service.schema(`${things}${owned}`);
    const now = new Date('2100-01-01T00:00:00Z');
    const file = await writeMigration({ adminUrl: postgres.adminUrl, service, name: 'own', now });
    const script = await readFile(file ?? '', 'utf8');
    expect(script).toContain('CREATE POLICY tenant ON "countries"');
    await writeFile(file ?? '', `-- safe: no country is there yet\n${script}`);
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it('writes nothing when there is no difference', async () => {
    const service = await createService();
    expect(await command(service, 'thing-service --name nothing')).toEqual([
      'thing-service: schema.prisma and migrations agree, nothing to write',
      'For SQL that Prisma does not model, add --empty.',
    ]);
    expect(await readdir(join(service.projectRoot, 'prisma/migrations'))).toEqual(['20260101000000_init']);
  });

  it('tells where it wrote and what to think of', async () => {
    const service = await createService();
    await service.schema(withField('notes String?\n@@index([notes])'));
    const printed = (await command(service, 'thing-service --name add-notes')).join('\n');
    expect(printed).toMatch(/wrote .*_add_notes\/migration\.sql/);
    expect(printed).toMatch(/^Mind .*_add_notes, line \d+: builds an index, which blocks writes to things/m);
    expect(printed).toMatch(/policy and the grants/);
  });

  it('writes the tables of libraries as these define them, with their grants, in a first migration too', async () => {
    const service = await createService();
    await service.removeMigration('20260101000000_init');
    const models = globSync('libs/*/sql/*.prisma', { cwd: workspaceRoot });
    expect(models).toHaveLength(7);
    await service.schema(models.map((file) => readFileSync(join(workspaceRoot, file), 'utf8')).join('\n'));
    const file = await writeMigration({ adminUrl: postgres.adminUrl, service, name: 'init' });
    const script = await readFile(file ?? '', 'utf8');
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
    for (const [table, grants] of Object.entries({
      due_work: 'SELECT, INSERT, UPDATE, DELETE',
      outbox: 'SELECT, INSERT, UPDATE, DELETE',
      idempotency_keys: 'SELECT, INSERT, UPDATE, DELETE',
      audit_events: 'SELECT, INSERT, DELETE, UPDATE (actor_name, target_name)',
      event_reader: 'SELECT, UPDATE',
      event_subjects: 'SELECT, INSERT, UPDATE, DELETE',
      organization_ends: 'SELECT, INSERT, UPDATE, DELETE',
    })) {
      expect(script.match(new RegExp(`CREATE TABLE "?${table}"? `, 'g'))).toHaveLength(1);
      expect(script).toContain(`\nGRANT ${grants} ON ${table} TO tenantry_thing_service;\n`);
      const isOwned = ['outbox', 'idempotency_keys', 'audit_events'].includes(table);
      expect([table, script.includes(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)]).toEqual([
        table,
        isOwned,
      ]);
    }
    for (const [table, kind] of [
      ['audit_events', 'trail'],
      ['idempotency_keys', 'following'],
      ['outbox', 'following'],
    ])
      expect(script).toContain(`\nSELECT app.count_storage_of('${table}', '${kind}');`);
    expect(script).toContain('CREATE TRIGGER due_work_notify');
    expect(script).toContain('CREATE TRIGGER audit_events_retention');
    expect(script).not.toContain('ON "');
  });

  it('refuses a name without a letter', async () => {
    const service = await createService();
    await service.schema(withField('notes String?'));
    await expect(command(service, 'thing-service --name ../..')).rejects.toThrow('names no migration');
  });
});

describe('migrate --empty --name', () => {
  it('writes a migration to be filled by hand, which does nothing until then', async () => {
    const service = await createService();
    const printed = await command(service, 'thing-service --empty --name validate-company');
    expect(printed[0]).toMatch(/wrote .*\/\d{14}_validate_company\/migration\.sql$/);
    expect(await command(service, '--check')).toEqual(['thing-service: schema.prisma and migrations agree']);
  });

  it('wants a name', async () => {
    const service = await createService();
    await expect(command(service, 'thing-service --empty')).rejects.toThrow('by --name');
  });
});

describe('migrate', () => {
  it('applies to the database that the environment names', async () => {
    const service = await createService();
    const database = 'named_by_environment';
    const { ownerUrl } = await provisionDatabase({
      adminUrl: postgres.adminUrl,
      service: service.name,
      database,
    });
    const environment = { THING_SERVICE_MIGRATION_DATABASE_URL: ownerUrl };
    expect(await command(service, 'thing-service', environment)).toEqual([
      'thing-service: applied 20260101000000_init',
    ]);
    const general = { MIGRATION_DATABASE_URL: ownerUrl };
    expect(await command(service, 'thing-service', general)).toEqual(['thing-service: nothing to apply']);
  });

  it('names the setting of an address at which nothing answers, or that is refused', async () => {
    const service = await createService();
    const away = { THING_SERVICE_MIGRATION_DATABASE_URL: 'postgresql://owner:secret@127.0.0.1:1/things' };
    await expect(command(service, 'thing-service', away)).rejects.toThrow(
      'No database answers at 127.0.0.1:1 (ECONNREFUSED): start it, or correct THING_SERVICE_MIGRATION_DATABASE_URL.',
    );
    const { ownerUrl } = await provisionDatabase({ adminUrl: postgres.adminUrl, service: service.name });
    const refused = { MIGRATION_DATABASE_URL: ownerUrl.replace(/:[^:@]*@/, ':wrong@') };
    await expect(command(service, 'thing-service', refused)).rejects.toThrow(
      /refuses the connection \(password authentication failed .*\): correct MIGRATION_DATABASE_URL\.$/,
    );
  });

  it('else applies to the embedded database, whether it runs or not', async () => {
    const service = await createService();
    const directory = join(await temporaryDirectory(), 'postgres');
    expect(await command(service, '', {}, directory)).toEqual(['thing-service: applied 20260101000000_init']);
    const running = await startPostgres({ directory, durable: false });
    onTestFinished(() => running.stop());
    await service.migration('20260102000000_next', 'CREATE TABLE next (id int)');
    expect(await command(service, 'thing-service', {}, directory)).toEqual([
      'thing-service: applied 20260102000000_next',
    ]);
    const { ownerUrl } = await provisionDatabase({ adminUrl: running.adminUrl, service: service.name });
    expect(await applyMigrations({ projectRoot: service.projectRoot, url: ownerUrl })).toEqual([]);
  });

  it.each([
    ['nobody-service', 'There is no service "nobody-service" with a database. There are: thing-service.'],
    ['a b', 'Name one service'],
    ['--name x', 'Say which service'],
    ['thing-service --name x --check', 'one thing at a time'],
    ['thing-service --search things', 'what text of it, by --text'],
    ['--search things --text name', 'Say which service'],
    ['--force', "Unknown option '--force'"],
  ])('refuses %s', async (line, complaint) => {
    const service = await createService();
    expect(() => readMigrateCommand(line.split(' '), service.root)).toThrow(complaint);
  });
});
