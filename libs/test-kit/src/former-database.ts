import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { applyMigrations, databaseService } from '@tenantry/dev-database';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database as it was before some of its migrations. */
export interface FormerDatabase extends TestDatabase {
  /** Applies the migrations that it lacks. */
  upgrade(): Promise<void>;
}

/**
 * Makes a service's database without its migrations from `before` on, so that a test can show what a migration does to
 * rows that are there already.
 *
 * @param before how the name of the first migration that is left out begins
 * @example
 * const database = await createFormerDatabase('leads-service', { before: '20261121190000' });
 * // … write rows …
 * await database.upgrade();
 */
export async function createFormerDatabase(
  service: string,
  { before }: { before: string },
): Promise<FormerDatabase> {
  const { projectRoot } = databaseService(service);
  const copy = await mkdtemp(join(tmpdir(), `${service}-`));
  await cp(join(projectRoot, 'prisma'), join(copy, 'prisma'), {
    recursive: true,
    filter: (path) => !/^\d{14}_/.test(basename(path)) || basename(path) < before,
  });
  const database = await createTestDatabase(service, { projectRoot: copy });
  return {
    ...database,
    async upgrade() {
      await applyMigrations({ projectRoot, url: database.ownerUrl });
    },
    async drop() {
      await database.drop();
      await rm(copy, { recursive: true });
    },
  };
}
