import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Migration } from '@tenantry/sql-check/migrations';
import type { MigrationList, SchemasContainer } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** The folder of a service's migrations. */
export const migrationsDirectory = (projectRoot: string) => join(projectRoot, 'prisma', 'migrations');

/** A service's Prisma schema: every .prisma file in its prisma folder. */
export async function readSchema(projectRoot: string): Promise<SchemasContainer> {
  const folder = join(projectRoot, 'prisma');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  const read = async (name: string) => ({
    path: join(folder, name),
    content: await readFile(join(folder, name), 'utf8'),
  });
  return { files: await Promise.all(names.map(read)) };
}

/** A service's migrations in the order in which they are applied, in the form that Prisma's engine takes. */
export async function readMigrations(projectRoot: string): Promise<MigrationList> {
  const baseDir = migrationsDirectory(projectRoot);
  const entries = await readdir(baseDir, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const read = async (path: string) => ({
    path,
    migrationFile: {
      path: 'migration.sql',
      content: { tag: 'ok' as const, value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8') },
    },
  });
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(folders.sort().map(read)),
  };
}

/** A service's migrations in the order in which they are applied. */
export async function migrationScripts(projectRoot: string): Promise<readonly Migration[]> {
  const migrations = await readMigrations(projectRoot);
  return migrations.migrationDirectories.map(({ path }) => ({
    name: path,
    script: scriptOf(migrations, path),
  }));
}

/** Tells Prisma's own commands which database the migrations are written for. */
export const lockfile = 'provider = "postgresql"\n';

/** Compares and migrates everything; difference.ts handles what Prisma does not model. */
export const noFilters = { externalTables: [], externalEnums: [] };

/** The SQL of a migration; empty if it does not exist. */
export function scriptOf(migrations: MigrationList, name: string): string {
  const found = migrations.migrationDirectories.find(({ path }) => path === name);
  return found?.migrationFile.content.tag === 'ok' ? found.migrationFile.content.value : '';
}
