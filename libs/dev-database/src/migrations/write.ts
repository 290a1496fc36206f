import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseService } from '../services.ts';
import { databaseNames } from '../databases.ts';
import { ExplainedError } from '../explained-error.ts';
import { schemaDifference } from './difference.ts';
import { lockfile, migrationsDirectory } from './files.ts';
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
  const difference = await withMigratedDatabase(adminUrl, service, (url) =>
    schemaDifference(service.projectRoot, url),
  );
  if (difference === undefined) return undefined;
  const directory = migrationsDirectory(service.projectRoot);
  const file = join(directory, folder, 'migration.sql');
  await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, 'migration_lock.toml'), lockfile);
  await writeFile(file, withRights(difference.script, databaseNames(service.name).runtime));
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

// What Prisma does not model and nobody may forget: a tenant table's policy, and the service's rights.
function withRights(script: string, runtime: string): string {
  const tables = [...script.matchAll(/CREATE TABLE "([^"]+)" \((.*?)\n\);/gs)];
  const rights = tables.map(([, table = '', columns = '']) => {
    const isTenants = columns.includes('"organization_id"');
    return `${isTenants ? policy(table) : ''}${grant(table, runtime)}`;
  });
  return [script, ...rights].join('\n');
}

const policy = (
  table: string,
) => `-- Rows of "${table}" are seen in their organization alone, by the owner of the table too.
ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY;
CREATE POLICY "${table}_organization" ON "${table}"
  USING ("organization_id" = (SELECT app.current_organization_id()))
  WITH CHECK ("organization_id" = (SELECT app.current_organization_id()));

`;

const grant = (
  table: string,
  runtime: string,
) => `-- Grant what the service does with "${table}", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "${table}" TO ${runtime};
`;
