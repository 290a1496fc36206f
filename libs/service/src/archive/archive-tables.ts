import type { Statement } from '@tenantry/tenancy';

/** Reads all rows of a table, each as JSON in a line. */
type ReadTable = Statement<{ readonly line: string | null }, readonly [], 'organization'>;
/** Adds rows to a table, given as JSON. */
type WriteTable = Statement<unknown, readonly [rows: unknown], 'organization'>;

/** Defines the statements of a service's tables, as the service defines its others. */
export interface DefineArchiveStatement {
  (options: { readonly name: string; readonly like: 'archive-read'; readonly text: string }): ReadTable;
  (options: { readonly name: string; readonly like: 'archive-write'; readonly text: string }): WriteTable;
}

/** A table whose rows are in the archive of an organization. */
export interface ExportedTable {
  /** Its columns as the Prisma client names them: `Prisma.LeadScalarFieldEnum`. */
  readonly fields: Readonly<Record<string, string>>;
  /** How its rows are ordered: by its key, and if they refer to each other, those that are referred to first. */
  readonly order: string;
  /** Columns that are left out, by their fields, each with the reason why; of a table that is imported, those that PostgreSQL generates. */
  readonly without?: Readonly<Record<string, string>>;
  /** What its rows are read from, as `t`, with their key as `t.organization_id`; default: the table alone. */
  readonly from?: string;
  /** What they have from elsewhere: expressions by the names of columns. A table with some is not imported. */
  readonly also?: Readonly<Record<string, string>>;
  /** Columns of bytes that are neither a secret nor the digest of one, each with what they are. */
  readonly bytes?: Readonly<Record<string, string>>;
  /** Why an import leaves it out, such as that auth-service tells what is in it; default: it does not. */
  readonly notImported?: string;
  /** Rows that are read at once, while other requests wait; default 50. Fewer where rows may be large. */
  readonly rowsAtOnce?: number;
}

/** All tables of a service's schema, each in one of three lists. */
export interface TableLists {
  /** In the archive, and imported from it: those that others refer to first. */
  readonly exported: Readonly<Record<string, ExportedTable>>;
  /** Written by triggers or from events, once the others are there: not in the archive. */
  readonly derived: Readonly<Record<string, string>>;
  /** Left where it is, each with the reason why. */
  readonly kept: Readonly<Record<string, string>>;
}

/** A table with its statements. */
export interface ArchivedTable extends ExportedTable {
  readonly name: string;
  /** Those that are exported, as in the database. */
  readonly columns: readonly string[];
  readonly rowsAtOnce: number;
  readonly read: ReadTable;
  /** Undefined for a table that is not imported. */
  readonly write: WriteTable | undefined;
}

/** A table that an import writes. */
export interface ImportedTable extends ArchivedTable {
  readonly write: WriteTable;
}

/** Whether an import writes a table. */
export const isImported = (table: ArchivedTable): table is ImportedTable => table.write !== undefined;

/** What of a service is in the archive of an organization. */
export interface ArchiveTables extends Omit<TableLists, 'exported'> {
  readonly exported: readonly ArchivedTable[];
}

/** The column of a field, as Prisma maps it here: `createdAt` is `created_at`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Says of every table of a service whether it is in the archive of an organization. A standard test compares it with the
 * catalog: a table in no list fails, and so does a column that an import would drop.
 *
 * @param statement defines a statement of the service
 * @param options.sharesTables whether the service has the tables of business services; default: it does
 * @example
 * export const tables = archiveTables(statement, {
 *   exported: { leads: { fields: Prisma.LeadScalarFieldEnum, order: 'id' } },
 *   derived: { lead_counts: 'triggers count leads' },
 *   kept: { due_work: 'what is still to be done is done here' },
 * });
 */
export function archiveTables(
  statement: DefineArchiveStatement,
  { exported, derived, kept }: TableLists,
  { sharesTables = true }: { readonly sharesTables?: boolean } = {},
): ArchiveTables {
  return {
    exported: Object.entries(exported).map(([name, table]) => archived(statement, name, table)),
    derived: { ...(sharesTables && withCopies), ...derived },
    kept: { ...(sharesTables && withWork), ...kept },
  };
}

function archived(statement: DefineArchiveStatement, name: string, table: ExportedTable): ArchivedTable {
  const { fields, without = {}, order, from = `${name} AS t`, also = {}, rowsAtOnce = 50 } = table;
  const columns = Object.keys(fields)
    .filter((field) => field !== 'organizationId' && !(field in without))
    .map(columnOf);
  const read = [
    ...columns.map((column) => `t.${column}`),
    ...Object.entries(also).map(([column, expression]) => `${expression} AS ${column}`),
  ];
  return {
    ...table,
    ...{ name, columns, rowsAtOnce },
    read: statement({
      name: `archive-read-${name}`,
      like: 'archive-read',
      text: `
        SELECT row_to_json(r)::text AS line
        FROM (SELECT ${read.join(', ')} FROM ${from} WHERE t.organization_id = $1 ORDER BY ${order}) AS r`,
    }),
    write: table.notImported === undefined ? writing(statement, name, columns) : undefined,
  };
}

const writing = (statement: DefineArchiveStatement, name: string, columns: readonly string[]): WriteTable =>
  statement({
    name: `archive-write-${name}`,
    like: 'archive-write',
    text: `
      INSERT INTO ${name} (organization_id, ${columns.join(', ')})
      SELECT $1, ${columns.map((column) => `r.${column}`).join(', ')}
      FROM jsonb_populate_recordset(NULL::${name}, $2) AS r`,
  });

/** Tables that several services have. */
const withCopies = {
  event_subjects: 'the reader of events writes whom they are about',
  storage_use: 'triggers count what is stored',
};
const withWork = {
  due_work: 'what is still to be done is done here, and scheduled anew elsewhere',
  event_reader: 'the position in the events of this installation; of no organization',
  idempotency_keys: 'answers for a day to clients of this installation, by digests of their keys',
  organization_ends: 'whether the organization is deleted here',
  outbox: 'letters that this installation still sends, and which it has sent',
  storage_limits: 'the quotas of this installation; of no organization',
  storage_quotas: 'the quota of the organization in this installation',
};
