import { basename } from 'node:path';
import type { Client } from 'pg';
import { connected, databaseNames } from '../databases.ts';
import { withSchemaEngine } from './engine.ts';
import { readMigrations, readSchema } from './files.ts';

export interface ApplyOptions {
  /** The service's folder, as `apps/leads-service`; its last part names the runtime role. */
  projectRoot: string;
  /** Address of the database, signed in as its owner, past any connection pooler. */
  url: string;
  log?: (message: string) => void;
}

/** Applies what is pending and returns the names applied. Of several processes at once, one applies. */
export async function applyMigrations({
  projectRoot,
  url,
  log = () => undefined,
}: ApplyOptions): Promise<string[]> {
  return connected(url, async (client) => {
    await lock(client, log);
    const migrationsList = await readMigrations(projectRoot);
    const schema = await readSchema(projectRoot);
    const filters = { externalTables: [], externalEnums: [] };
    const { appliedMigrationNames } = await withSchemaEngine({ url, schema }, (engine) =>
      engine.applyMigrations({ migrationsList, filters }),
    );
    await letServiceReadHistory(client, databaseNames(basename(projectRoot)).runtime);
    return appliedMigrationNames;
  });
}

// The lock ends with the connection, whatever becomes of this process.
async function lock(client: Client, log: (message: string) => void): Promise<void> {
  const key = "hashtext('tenantry.migrate')";
  const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_lock(${key}) AS free`);
  if (rows[0]?.free) return;
  log('Waiting for another migration of this database to end');
  await client.query(`SELECT pg_advisory_lock(${key})`);
}

// A service compares the history with its own migrations before it starts.
async function letServiceReadHistory(client: Client, runtime: string): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_roles WHERE rolname = $1 AND to_regclass('public._prisma_migrations') IS NOT NULL`,
    [runtime],
  );
  if (rowCount)
    await client.query(`GRANT SELECT ON public._prisma_migrations TO ${client.escapeIdentifier(runtime)}`);
}
