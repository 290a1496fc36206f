import { withSchemaEngine } from './engine.ts';
import { readMigrations, readSchema } from './files.ts';

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
