import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseService } from '../services.ts';
import { databaseNames } from '../databases.ts';
import { ExplainedError } from '../explained-error.ts';
import { schemaDifference } from './difference.ts';
import { lockfile, migrationsDirectory, readMigrations } from './files.ts';
import { withRights } from './rights.ts';
import { withMigratedDatabase } from './scratch.ts';

export interface NewMigration {
  adminUrl: string;
  service: DatabaseService;
  /** What it does, as `add-notes`. */
  name: string;
  now?: Date;
}

/** Writes the migration that leads from the ones there are to schema.prisma; its path, or undefined for no difference. */
export async function writeMigration(wanted: NewMigration): Promise<string | undefined> {
  const { adminUrl, service, name, now = new Date() } = wanted;
  const folder = `${timestamp(now)}_${folderName(name)}`;
  const existing = await readMigrations(service.projectRoot);
  const difference = await withMigratedDatabase(adminUrl, service, (url) =>
    schemaDifference(service.projectRoot, url),
  );
  if (difference === undefined) return undefined;
  const directory = migrationsDirectory(service.projectRoot);
  const file = join(directory, folder, 'migration.sql');
  await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, 'migration_lock.toml'), lockfile);
  const isFirst = existing.migrationDirectories.length === 0;
  await writeFile(
    file,
    await withRights(difference.script, { runtime: databaseNames(service.name).runtime, isFirst }),
  );
  return file;
}

function folderName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  if (words === null)
    throw new ExplainedError(`"${name}" names no migration: say what it does, as add-notes.`);
  return words.join('_');
}

/** UTC, as Prisma's own command writes it: 20261120095959. */
const timestamp = (now: Date) => now.toISOString().replace(/\D/g, '').slice(0, 14);
