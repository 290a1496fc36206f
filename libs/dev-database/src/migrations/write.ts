import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseService } from '../services.ts';
import { databaseNames } from '../databases.ts';
import { ExplainedError } from '../explained-error.ts';
import { schemaDifference } from './difference.ts';
import { lockfile, migrationsDirectory, readMigrations, readSchema } from './files.ts';
import { withRights } from './rights.ts';
import { withMigratedDatabase } from './scratch.ts';

export interface NewMigration {
  adminUrl: string;
  service: DatabaseService;
  /** What it does, as `add-notes`. */
  name: string;
  now?: Date;
}

/** Writes the migration from the existing ones to schema.prisma; returns its path, or undefined if there is no difference. */
export async function writeMigration(wanted: NewMigration): Promise<string | undefined> {
  const { adminUrl, service, name, now = new Date() } = wanted;
  const existing = await readMigrations(service.projectRoot);
  const difference = await withMigratedDatabase(adminUrl, service, (url) =>
    schemaDifference(service.projectRoot, url),
  );
  if (difference === undefined) return undefined;
  const isFirst = existing.migrationDirectories.length === 0;
  const { runtime } = databaseNames(service.name);
  const { files } = await readSchema(service.projectRoot);
  const countsStorage = files.some(({ content }) => content.includes('@@map("storage_use")'));
  return saveMigration({
    service,
    name,
    now,
    script: await withRights(difference.script, { runtime, isFirst, countsStorage }),
  });
}

/** Writes an empty migration to be filled in by hand, and returns its path. */
export function writeEmptyMigration(wanted: Omit<NewMigration, 'adminUrl'>): Promise<string> {
  const { service, name, now = new Date() } = wanted;
  const script = '-- Statements that Prisma does not model. They run while the version before serves.\n';
  return saveMigration({ service, name, now, script });
}

/** What {@link saveMigration} writes. */
export interface Written extends Required<Omit<NewMigration, 'adminUrl'>> {
  readonly script: string;
}

/** Writes a migration, and returns its path. */
export async function saveMigration({ service, name, now, script }: Written): Promise<string> {
  const directory = migrationsDirectory(service.projectRoot);
  const folder = join(directory, `${timestamp(now)}_${folderName(name)}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(directory, 'migration_lock.toml'), lockfile);
  const file = join(folder, 'migration.sql');
  await writeFile(file, script);
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
