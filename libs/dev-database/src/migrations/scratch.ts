import { randomBytes } from 'node:crypto';
import { connected, databaseNames, provisionDatabase } from '../databases.ts';
import type { DatabaseService } from '../services.ts';
import { startTemporaryPostgres } from '../postgres/temporary.ts';
import { applyMigrations } from './apply.ts';

/** Runs work with a scratch server: that of the tests if there is one, otherwise a temporary one. */
export async function withScratchServer<T>(
  environment: NodeJS.ProcessEnv,
  work: (adminUrl: string) => Promise<T>,
): Promise<T> {
  const shared = environment['TEST_DATABASE_ADMIN_URL'];
  if (shared) return work(shared);
  const postgres = await startTemporaryPostgres();
  try {
    return await work(postgres.adminUrl);
  } finally {
    await postgres.stop();
  }
}

/** Runs work with a scratch database that has all of a service's migrations, and drops it. */
export async function withMigratedDatabase<T>(
  adminUrl: string,
  { name, projectRoot }: DatabaseService,
  work: (ownerUrl: string) => Promise<T>,
): Promise<T> {
  const database = `${databaseNames(name).database}_scratch_${randomBytes(6).toString('hex')}`;
  try {
    const { ownerUrl } = await provisionDatabase({ adminUrl, service: name, database });
    await applyMigrations({ projectRoot, url: ownerUrl });
    return await work(ownerUrl);
  } finally {
    await connected(adminUrl, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(database)} WITH (FORCE)`);
    });
  }
}
