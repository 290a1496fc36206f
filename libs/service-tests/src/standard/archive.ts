import { columnOf, type ArchiveTables } from '@tenantry/service/archive';
import type { TestDatabase } from '@tenantry/test-kit';
import { expect, it } from 'vitest';
import { tablesOf } from './tables.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly isGenerated: boolean;
  readonly isBytes: boolean;
  readonly mayInsert: boolean;
}

const columns = `
  SELECT c.relname AS table, a.attname AS name, a.attgenerated <> '' AS "isGenerated",
    a.atttypid = 'bytea'::regtype AS "isBytes",
    has_column_privilege($1, c.oid, a.attnum, 'INSERT') AS "mayInsert"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND a.attname <> 'organization_id'
  ORDER BY c.relname, a.attnum`;

/** What the tests of an archive look at. */
interface Archived {
  readonly tables: ArchiveTables | undefined;
  readonly database: TestDatabase;
}

/** What of an organization is in its archive, and what is not, is decided for every table and every column. */
export function archiveTests(archived: () => Archived): void {
  it('has each of its tables in one list of the archive: exported, derived or kept [S-290]', async () => {
    const { tables: lists, database } = archived();
    const { exported = [], derived = {}, kept = {} } = lists ?? {};
    const tables = [...(await tablesOf(database)).keys()].sort();
    const names = exported.map(({ name }) => name);
    const listed = [...names, ...Object.keys(derived), ...Object.keys(kept)];
    expect([...new Set(listed)].length, 'a table is in two lists').toBe(listed.length);
    expect(tables.filter((name) => !listed.includes(name))).toEqual([]);
    const ofAll = ['due_work', 'event_reader', 'event_subjects', 'idempotency_keys', 'organization_ends'];
    const shared = new Set([...ofAll, 'outbox', 'storage_limits', 'storage_quotas', 'storage_use']);
    expect(listed.filter((name) => !tables.includes(name) && !shared.has(name))).toEqual([]);
  });

  it('exports every column that an import can bring back, and no bytes that might be a secret [S-290]', async () => {
    const { tables, database } = archived();
    const role = new URL(database.runtimeUrl).username;
    const catalog = await database.query<Column>(columns, [role]);
    for (const table of tables?.exported ?? []) {
      const { name, fields, without = {}, bytes = {}, columns: kept, notImported } = table;
      const inTable = catalog.filter((column) => column.table === name);
      const named = Object.keys(fields).map(columnOf);
      expect(named.filter((column) => column !== 'organization_id').sort(), name).toEqual(
        inTable.map((column) => column.name).sort(),
      );
      const generated = inTable.filter(({ isGenerated }) => isGenerated).map((column) => column.name);
      const left = Object.keys(without).map(columnOf).sort();
      if (notImported === undefined) expect(left, `${name} without`).toEqual(generated.sort());
      else expect(named, `${name} without`).toEqual(expect.arrayContaining(left));
      const exported = inTable.filter((column) => kept.includes(column.name));
      const ofBytes = exported.filter(({ isBytes }) => isBytes).map((column) => column.name);
      expect(ofBytes.sort(), `bytes of ${name}`).toEqual(Object.keys(bytes).map(columnOf).sort());
      const dropped = exported.filter(({ mayInsert }) => !mayInsert).map((column) => column.name);
      expect(dropped, `columns of ${name} that the service may not write`).toEqual(
        notImported === undefined ? [] : dropped,
      );
    }
  });
}
