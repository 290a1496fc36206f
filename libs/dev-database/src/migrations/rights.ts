import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '../services.ts';
import { divideLibraryTables } from './library-tables.ts';

/** Which service a migration is written for. */
export interface Rights {
  /** The role that it signs in as. */
  readonly runtime: string;
  /** Whether the service has no migration yet: the first one defines the functions that policies call. */
  readonly isFirst: boolean;
  /** Whether what organizations store is counted: the schema has the models of sql/storage.prisma of tenancy. */
  readonly countsStorage: boolean;
}

/**
 * Adds to Prisma's script what Prisma does not model: the policy of each new tenant table, the grants of the service on every
 * new table, and before those the functions that policies call. Tables of libraries are written as the libraries define them.
 */
export async function withRights(
  written: string,
  { runtime, isFirst, countsStorage }: Rights,
): Promise<string> {
  const { script, sections: ofLibraries } = await divideLibraryTables(written, runtime);
  const created = [...script.matchAll(/CREATE TABLE "([^"]+)" \((.*?)\n\);/gs)];
  const nowOwned = [...script.matchAll(/ALTER TABLE "([^"]+)"(?=[^;]*ADD COLUMN\s+"organization_id")/g)];
  const owned = (columns: string) => columns.includes('"organization_id"');
  const sections = [
    ...created.map(([, table = '', columns = '']) =>
      [...(owned(columns) ? [tenantTable(table)] : []), grants(table, runtime)].join('\n'),
    ),
    ...nowOwned.map(([, table = '']) => tenantTable(table)),
  ];
  const asksForScope = isFirst && written.includes('"organization_id"');
  const functions = asksForScope ? [await scopeFunctions(runtime)] : [];
  const tables = created.flatMap(([, table = '', columns = '']) => (owned(columns) ? [counted(table)] : []));
  return [
    ...functions,
    ...(script.trim() === '' ? [] : [script, ...sections]),
    ...ofLibraries,
    ...(countsStorage ? [...tables, ...countedOfLibraries(ofLibraries.join('\n'))] : []),
  ].join('\n');
}

/** Counts the rows of a tenant table towards the quota of their organization. */
const counted = (
  table: string,
) => `-- What people create is refused at the quota: sql/storage.sql of tenancy has other kinds.
SELECT app.count_storage_of('${table}', 'own');
`;

/** What the tables of libraries count as, where the script creates them. */
function countedOfLibraries(script: string): string[] {
  const kinds = { audit_events: 'trail', idempotency_keys: 'following', outbox: 'following' };
  return Object.entries(kinds)
    .filter(([table]) => script.includes(`CREATE TABLE ${table} (`))
    .map(([table, kind]) => `SELECT app.count_storage_of('${table}', '${kind}');`);
}

/** The one template of a tenant table's policy. */
const tenantTable = (table: string) =>
  `-- Rows of "${table}" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "${table}"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "${table}" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
`;

const grants = (table: string, runtime: string) =>
  `-- Keep what the service does with "${table}", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "${table}" TO ${runtime};
`;

async function scopeFunctions(runtime: string): Promise<string> {
  const functions = await readFile(join(workspaceRoot, 'libs/tenancy/sql/tenancy.sql'), 'utf8');
  return `${functions}\nGRANT USAGE ON SCHEMA app TO ${runtime};\n`;
}
