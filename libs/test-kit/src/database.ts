import { createHash, randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  applyMigrations,
  connected,
  databaseNames,
  databaseService,
  grantDatabase,
  provisionDatabase,
  withDatabase,
  type DatabaseUrls,
} from '@tenantry/dev-database';
import type { Client } from 'pg';
import { assertRowsFitTheirTypes, watchAnsweredRows } from './answered-rows.ts';
import { patience } from './patience.ts';
import { testPostgres } from './postgres.ts';

/** A service's migrated database for one test file. */
export interface TestDatabase extends DatabaseUrls {
  /** The superuser's address of the same database, for what neither role may do. */
  adminUrl: string;
  /** Runs a query as the superuser, and returns its rows. */
  query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** @throws {Error} where a described statement has answered rows that its types do not allow */
  drop: () => Promise<void>;
}

export interface TestDatabaseOptions {
  /** Address of the server's superuser; this process's own server when absent. */
  adminUrl?: string;
  /** Folder of the service; apps/<service> when absent. */
  projectRoot?: string;
}

/**
 * Makes a migrated, empty database for a service: a copy of a template that is migrated once per server and set
 * of migrations. Test files and processes may call it at once, each gets its own.
 *
 * @param service name of its folder under apps, as `leads-service`
 * @example
 * const database = await createTestDatabase('leads-service');
 * afterAll(() => database.drop());
 */
export async function createTestDatabase(
  service: string,
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const adminUrl = options.adminUrl ?? (await testPostgres()).adminUrl;
  const projectRoot = options.projectRoot ?? databaseService(service).projectRoot;
  const stem = databaseNames(service).database;
  const template = `${stem}_template_${migrationsDigest(projectRoot)}`;
  const database = `${stem}_test_${randomBytes(6).toString('hex')}`;
  // Copied file by file: a third of the work of writing each page through the log.
  await connected(adminUrl, async (client) => {
    await ensureTemplate({ client, adminUrl, service, projectRoot, template });
    await client.query(
      `CREATE DATABASE ${client.escapeIdentifier(database)} TEMPLATE ${client.escapeIdentifier(template)}
       OWNER ${client.escapeIdentifier(databaseNames(service).owner)} STRATEGY FILE_COPY`,
    );
  });
  // Rights on a database are not copied with it. The roles exist since the template was made.
  const urls = await grantDatabase({ adminUrl, service, database });
  const urlOfDatabase = withDatabase(adminUrl, database);
  watchAnsweredRows(database);
  const drop = async () => {
    await assertRowsFitTheirTypes({ name: database, schema: template, url: urlOfDatabase });
    await connected(adminUrl, async (client) => {
      await connectionsClosed(client, database);
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(database)} WITH (FORCE)`);
    });
  };
  const query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    connected(urlOfDatabase, async (client) => (await client.query<Row>(text, [...values])).rows);
  return { ...urls, adminUrl: urlOfDatabase, query, drop };
}

// A pool that has ended still has connections that say goodbye: cut off, each would raise an error in its process.
async function connectionsClosed(client: Client, database: string): Promise<void> {
  const deadline = Date.now() + patience(2_000);
  const open = 'SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1';
  while ((await client.query(open, [database])).rowCount && Date.now() < deadline) await setTimeout(20);
}

interface Template {
  client: Client;
  adminUrl: string;
  service: string;
  projectRoot: string;
  template: string;
}

// One process makes the template while the others wait; only a whole one is marked as a template.
async function ensureTemplate({ client, adminUrl, service, projectRoot, template }: Template): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
      template,
    ]);
    if (rowCount) return;
    const name = client.escapeIdentifier(template);
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    const { ownerUrl } = await provisionDatabase({ adminUrl, service, database: template });
    await applyMigrations({ projectRoot, url: ownerUrl });
    await client.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
}

/** Synchronous: reading many small files through the thread pool takes four times as much processor time. */
function migrationsDigest(projectRoot: string): string {
  const directory = join(projectRoot, 'prisma', 'migrations');
  const digest = createHash('sha256');
  for (const file of globSync('**/*.sql', { cwd: directory }).sort()) {
    digest.update(file).update(readFileSync(join(directory, file)));
  }
  return digest.digest('hex').slice(0, 16);
}
