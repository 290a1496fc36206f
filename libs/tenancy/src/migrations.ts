import { readdir } from 'node:fs/promises';

/** What these checks need of a pool or client. */
export interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>;
}

// No history, or one this role may not read because another program than ours migrated last: running the migration
// settles both.
const withoutHistory = ['42P01', '42501'];

/**
 * The migrations that a database still lacks, in the order in which they are applied. One that was begun and not
 * ended counts as lacking. A database that is ahead lacks nothing: an older instance keeps running while a newer
 * one is rolled out.
 */
export async function pendingMigrations(options: {
  pool: Queryable;
  /** The service's prisma/migrations. */
  migrationsDirectory: string;
}): Promise<string[]> {
  const { pool, migrationsDirectory } = options;
  const [names, applied] = await Promise.all([migrationsIn(migrationsDirectory), appliedMigrations(pool)]);
  return names.filter((name) => !applied.has(name));
}

/** The name of the last migration of a service, which sorts after all others. */
export async function lastMigration(migrationsDirectory: string): Promise<string> {
  return (await migrationsIn(migrationsDirectory)).at(-1) ?? '';
}

/** In the order in which they are applied. */
async function migrationsIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Refuses a database that is behind, so that a service never starts on tables it does not know.
 *
 * @throws Error naming the first missing migration and the command to run.
 * @example
 * await assertMigrated({ pool, service: 'leads-service', migrationsDirectory: 'prisma/migrations' });
 */
export async function assertMigrated(options: {
  pool: Queryable;
  migrationsDirectory: string;
  /** Name of the service's folder, as `leads-service`. */
  service: string;
}): Promise<void> {
  const [next, ...further] = await pendingMigrations(options);
  if (next === undefined) return;
  const count = further.length === 0 ? '' : ` and ${further.length} more`;
  throw new Error(
    `The database of ${options.service} is behind: ${next}${count} is missing. Run: npm run migrate -- ${options.service}`,
  );
}

async function appliedMigrations(pool: Queryable): Promise<Set<string>> {
  try {
    const { rows } = await pool.query(
      'SELECT migration_name FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    return new Set((rows as { migration_name: string }[]).map((row) => row.migration_name));
  } catch (error) {
    if (withoutHistory.includes((error as { code?: string }).code ?? '')) return new Set();
    throw error;
  }
}
