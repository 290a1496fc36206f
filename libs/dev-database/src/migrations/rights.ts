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
}

/**
 * Adds to Prisma's script what Prisma does not model: the policy of each new tenant table, the grants of the service on every
 * new table, and before those the functions that policies call. Tables of libraries are written as the libraries define them.
 */
export async function withRights(written: string, { runtime, isFirst }: Rights): Promise<string> {
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
  return [...functions, ...(script.trim() === '' ? [] : [script, ...sections]), ...ofLibraries].join('\n');
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
