import { basename } from 'node:path';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { databaseNames } from '../databases.ts';
import { ExplainedError } from '../explained-error.ts';
import { withSchemaEngine, type Session } from './engine.ts';
import { failedMigration, interruptedMigration, isAtomic } from './failed-migration.ts';
import { noFilters, readMigrations, readSchema } from './files.ts';

export interface ApplyOptions {
  /** The service's folder, as `apps/leads-service`; its last part names the runtime role. */
  projectRoot: string;
  /** Address of the database, signed in as its owner, past any connection pooler. */
  url: string;
  /** Told when it has to wait. */
  log?: (message: string) => void;
}

/**
 * Applies pending migrations and returns their names. If several processes do so in parallel, one applies them and the others
 * wait. Maintains the usual `_prisma_migrations`.
 *
 * @throws ExplainedError for a migration that fails or was changed after it was applied, saying what to do.
 */
export async function applyMigrations(options: ApplyOptions): Promise<string[]> {
  const { projectRoot, url, log = () => undefined } = options;
  const service = basename(projectRoot);
  const [migrations, schema] = await Promise.all([readMigrations(projectRoot), readSchema(projectRoot)]);
  return withSchemaEngine({ url, schema }, async (engine, session) => {
    await lock(session, log);
    const history = await diagnose(engine, migrations);
    refuseEdited(history.editedMigrationNames, service);
    await forgetInterrupted(engine, history.failedMigrationNames, { migrations, service });
    const applied = await apply(engine, session, { migrations, service });
    await letServiceReadHistory(session, databaseNames(service).runtime);
    // PostgreSQL releases it only some time after the connection has ended, and the next process would wait.
    await session.query({ text: 'SELECT pg_advisory_unlock_all()' });
    return applied;
  });
}

interface Work {
  migrations: MigrationList;
  service: string;
}

// The lock that Prisma's own commands take, so that they and this exclude each other.
async function lock(session: Session, log: (message: string) => void): Promise<void> {
  const { rows } = await session.query<{ free: boolean }>({
    text: 'SELECT pg_try_advisory_lock(72707369) AS free',
  });
  if (rows[0]?.free) return;
  log('Waiting for another migration of this database to end');
  await session.query({ text: 'SELECT pg_advisory_lock(72707369)' });
}

async function diagnose(engine: SchemaEngine, migrationsList: MigrationList) {
  return engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: noFilters,
  });
}

function refuseEdited([name]: readonly string[], service: string): void {
  if (name === undefined) return;
  throw new ExplainedError(
    `Migration ${name} of ${service} was changed after it was applied. Restore the file and put the change into a new one (npm run migrate -- ${service} --name what-it-does); while developing, npm start -- --fresh starts over.`,
  );
}

// A process that died while it migrated left the row of its migration open.
async function forgetInterrupted(
  engine: SchemaEngine,
  names: readonly string[],
  { migrations, service }: Work,
): Promise<void> {
  for (const migrationName of names) {
    if (!isAtomic(migrations, migrationName)) throw interruptedMigration(service, migrationName);
    await engine.markMigrationRolledBack({ migrationName });
  }
}

async function apply(
  engine: SchemaEngine,
  session: Session,
  { migrations, service }: Work,
): Promise<string[]> {
  try {
    const done = await engine.applyMigrations({ migrationsList: migrations, filters: noFilters });
    return done.appliedMigrationNames;
  } catch (error) {
    const cause = session.lastError;
    const [migrationName] = (await diagnose(engine, migrations)).failedMigrationNames;
    if (migrationName === undefined || cause === undefined) throw error;
    const atomic = isAtomic(migrations, migrationName);
    if (atomic) await engine.markMigrationRolledBack({ migrationName });
    throw failedMigration({ migrations, service, name: migrationName, cause });
  }
}

// A service compares the history with its own migrations before it starts.
async function letServiceReadHistory(session: Session, runtime: string): Promise<void> {
  const { rows } = await session.query<{ grant: string }>({
    text: `SELECT format('GRANT SELECT ON public._prisma_migrations TO %I', rolname) AS grant
             FROM pg_roles WHERE rolname = $1 AND to_regclass('public._prisma_migrations') IS NOT NULL`,
    values: [runtime],
  });
  if (rows[0]) await session.query({ text: rows[0].grant });
}

/** Records how a failed migration was resolved by hand. */
export async function resolveMigration(settled: {
  projectRoot: string;
  url: string;
  migration: string;
  as: 'applied' | 'rolled-back';
}): Promise<void> {
  const { projectRoot, url, migration: migrationName, as } = settled;
  const [migrationsList, schema] = await Promise.all([readMigrations(projectRoot), readSchema(projectRoot)]);
  await withSchemaEngine({ url, schema }, async (engine) => {
    if (as === 'applied') await engine.markMigrationApplied({ migrationName, migrationsList });
    else await engine.markMigrationRolledBack({ migrationName });
  });
}
