import { columnOf } from '@tenantry/service/archive';
import { expect, it } from 'vitest';
import type { Standing } from './standing.ts';
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

/** What of an organization is in its archive, and what is not, is decided for every table and every column. */
export function archiveTests(standing: () => Standing): void {
  it('has each of its tables in one list of the archive: exported, derived or kept [S-290]', async () => {
    const { service, running } = standing();
    const { exported = [], derived = {}, kept = {} } = service.archive?.tables ?? {};
    const tables = [...(await tablesOf(running.testDatabase)).keys()].sort();
    const names = exported.map(({ name }) => name);
    const listed = [...names, ...Object.keys(derived), ...Object.keys(kept)];
    expect([...new Set(listed)].length, 'a table is in two lists').toBe(listed.length);
    expect(tables.filter((name) => !listed.includes(name))).toEqual([]);
    const ofAll = ['due_work', 'event_reader', 'event_subjects', 'idempotency_keys', 'organization_ends'];
    const shared = new Set([...ofAll, 'outbox', 'storage_limits', 'storage_quotas', 'storage_use']);
    expect(listed.filter((name) => !tables.includes(name) && !shared.has(name))).toEqual([]);
  });

  it('exports every column that an import can bring back, and no bytes that might be a secret [S-290]', async () => {
    const { service, running } = standing();
    const role = new URL(running.testDatabase.runtimeUrl).username;
    const catalog = await running.testDatabase.query<Column>(columns, [role]);
    for (const { name, fields, without = {}, bytes = {}, columns: kept, notImported } of service.archive
      ?.tables.exported ?? []) {
      const inTable = catalog.filter(({ table }) => table === name);
      expect(Object.keys(fields).map(columnOf).sort(), name).toEqual(
        ['organization_id', ...inTable.map((column) => column.name)].sort(),
      );
      const generated = inTable.filter(({ isGenerated }) => isGenerated).map((column) => column.name);
      expect(Object.keys(without).map(columnOf).sort(), `${name} without`).toEqual(generated.sort());
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
