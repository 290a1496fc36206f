import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExplainedError } from '@tenantry/dev-database';
import { ArchiveImport, ImportRefused, OpenedArchive } from '@tenantry/service/archive';
import type { BusinessService } from '@tenantry/service/business';
import { assertMigrated, lastMigration, TenantDatabase } from '@tenantry/tenancy';
import { databaseOf } from '../running-database.ts';
import { discoverServices, type ServiceDescription } from '../services.ts';
import { readEnvironment, type Environment } from '../start/environment.ts';
import { importAccess } from './import-access.ts';
import type { ImportSurroundings, OneImport } from './one-import.ts';

/** What {@link importArchives} needs. */
export interface ImportOptions {
  readonly workspaceRoot: string;
  readonly env: Environment;
  /** Holds the data of `npm start`; `.tenantry` at the root by default. */
  readonly directory?: string;
  readonly print: (line: string) => void;
}

interface Prepared extends OneImport {
  readonly file: string;
  readonly archive: OpenedArchive;
}

/**
 * Imports the archives of an organization, of a service each, into another one. All of them are checked before the first row of any.
 * A repetition continues what was killed.
 *
 * @throws {ImportRefused} as {@link ArchiveImport} does, with the file
 * @throws ExplainedError for a service that is not here, or has no database
 */
export async function importArchives(
  files: readonly string[],
  organizationId: string,
  options: ImportOptions,
): Promise<void> {
  const prepared: Prepared[] = [];
  try {
    for (const file of files) prepared.push(await prepare(file, organizationId, options));
    for (const { file, check } of prepared) await explained(file, check);
    for (const { file, archive, write } of prepared) {
      options.print(`${basename(file)}: ${archive.manifest.service}, as of ${archive.manifest.moment}`);
      for (const [what, count] of await explained(file, write)) options.print(`  ${what}: ${count}`);
    }
  } finally {
    for (const { archive, close } of prepared) {
      await archive.close();
      await close?.();
    }
  }
  options.print(
    'Everything is there. An owner sends the invitations, on the page of people: accounts are not imported.',
  );
}

async function prepare(file: string, organizationId: string, options: ImportOptions): Promise<Prepared> {
  const archive = await explained(file, () => OpenedArchive.open(file));
  try {
    const { service: name } = archive.manifest;
    const { workspaceRoot, directory = join(workspaceRoot, '.tenantry') } = options;
    const env = readEnvironment(workspaceRoot, options.env);
    const described = discoverServices(workspaceRoot).find((known) => known.name === name);
    if (!described) throw new ExplainedError(`${file} is of ${name}, which is not here.`);
    const service = await definitionOf(described);
    if (!service.archive) throw new ExplainedError(`${name} imports no archives.`);
    const surroundings = { described, service, env, directory, organizationId };
    const one =
      described.prefix === '/api/auth'
        ? await importAccess(archive, surroundings)
        : await importTables(archive, surroundings);
    return { file, archive, ...one };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** Writes rows to the database of a service, as its role. */
async function importTables(
  archive: OpenedArchive,
  { described, service, env, directory, organizationId }: ImportSurroundings,
): Promise<OneImport> {
  const { name } = described;
  const { archive: declared, migrationsDirectory, models, prisma, unscoped = {} } = service;
  if (!declared) throw new ExplainedError(`${name} imports no archives.`);
  const connectionString = await databaseOf(described, { env, directory });
  const database = new TenantDatabase({ connectionString, models, prisma, unscoped, poolSize: 4 });
  await assertMigrated({ pool: database.pool, migrationsDirectory, service: name });
  const migration = await lastMigration(migrationsDirectory);
  const importing = new ArchiveImport({ ...declared, service: name, migration });
  const tenant = database.within({ organizationId });
  let there: ReadonlyMap<string, number> = new Map();
  return {
    check: async () => void (there = await importing.check(tenant, archive)),
    async write() {
      const counts = new Map<string, number>();
      await importing.write(tenant, { archive, there }, ({ table, rows }) => counts.set(table, rows));
      return counts;
    },
    close: () => database.close(),
  };
}

/** A service, as its code defines it. */
export async function definitionOf({ directory }: ServiceDescription): Promise<BusinessService> {
  const { service } = (await import(pathToFileURL(join(directory, 'src/service.ts')).href)) as {
    readonly service: BusinessService;
  };
  return service;
}

/** Says of which file it is. */
async function explained<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportRefused)
      throw new ImportRefused(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
