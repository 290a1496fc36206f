import { isDeepStrictEqual } from 'node:util';
import type { OrganizationScope, TenantScope, TenantSnapshot } from '@tenantry/tenancy';
import { daySeconds } from '../work/housekeeping.ts';
import { scheduleWork } from '../work/due-work.ts';
import { isImported, type ArchivedTable, type ArchiveTables, type ImportedTable } from './archive-tables.ts';
import { ImportRefused } from './import-refused.ts';
import type { Line, OpenedArchive } from './opened-archive.ts';

type Tenant = TenantScope<OrganizationScope>;
type Snapshot = TenantSnapshot<OrganizationScope>;

/** The service into which archives are imported. */
export interface ArchiveImportOptions {
  /** The service, as `leads-service`. */
  readonly service: string;
  /** The name of its last migration. */
  readonly migration: string;
  readonly tables: ArchiveTables;
  /** Kinds of daily work that the rows of an organization cause. */
  readonly chores?: readonly string[] | undefined;
}

/** How many rows of each table an organization has already. */
export type RowsThere = ReadonlyMap<string, number>;

/** How far an import is. */
export interface ImportProgress {
  readonly table: string;
  readonly rows: number;
}

/**
 * Imports what an archive has for a service into an organization that has nothing there yet. Batches take effect one by one, and
 * one that was killed is continued: what is there already must be the beginning of the same archive.
 */
export class ArchiveImport {
  readonly #options: ArchiveImportOptions;

  constructor(options: ArchiveImportOptions) {
    this.#options = options;
  }

  /**
   * Everything that is known before the first row.
   *
   * @returns how many rows of each table are there already
   * @throws {ImportRefused} as {@link judge}, and for an organization that has other rows
   */
  async check(tenant: Tenant, archive: OpenedArchive): Promise<RowsThere> {
    await judge(archive, this.#options);
    return tenant.snapshot((rows) => this.#compare(rows, archive), { limitMs: Infinity });
  }

  /** How many rows of each table are there already. */
  async #compare(rows: Snapshot, archive: OpenedArchive): Promise<RowsThere> {
    const there = new Map<string, number>();
    let isPartial = false;
    for (const table of this.#imported()) {
      const count = await comparePrefix(rows, table, archive);
      if (count > 0 && isPartial) throw notEmpty(table.name);
      isPartial ||= count < (archive.manifest.tables[table.name]?.rows ?? 0);
      there.set(table.name, count);
    }
    return there;
  }

  /** Checks an archive, and imports it. @throws {ImportRefused} as {@link check} and {@link write} do */
  async run(
    tenant: Tenant,
    archive: OpenedArchive,
    onProgress?: (progress: ImportProgress) => void,
  ): Promise<void> {
    await this.write(tenant, { archive, there: await this.check(tenant, archive) }, onProgress);
  }

  /**
   * Imports what is not there yet of an archive that was checked.
   *
   * @throws {ImportRefused} for a row that the database refuses, by table, line and rule; its batch is undone
   */
  async write(
    tenant: Tenant,
    { archive, there }: { readonly archive: OpenedArchive; readonly there: RowsThere },
    onProgress: (progress: ImportProgress) => void = () => undefined,
  ): Promise<void> {
    for (const table of this.#imported()) {
      let rows = there.get(table.name) ?? 0;
      for await (const batch of batchesOf(archive.lines(table.name), {
        from: rows,
        size: table.rowsAtOnce,
      })) {
        await writeBatch(tenant, table, batch);
        rows += batch.length;
        onProgress({ table: table.name, rows });
      }
    }
    const { chores = [] } = this.#options;
    const { organizationId: id } = tenant.scope;
    await tenant.transaction(async (tx) => {
      for (const kind of chores) await scheduleWork(tx, { kind, id, afterSeconds: daySeconds });
    });
  }

  #imported(): readonly ImportedTable[] {
    return this.#options.tables.exported.filter(isImported);
  }
}

/**
 * Judges an archive by itself, and reads it once for its digests.
 *
 * @throws {ImportRefused} for the archive of another service or of a newer version, a table that the service does not export, and a
 * wrong digest
 */
export async function judge(
  archive: OpenedArchive,
  { service, migration, tables }: Pick<ArchiveImportOptions, 'service' | 'migration' | 'tables'>,
): Promise<void> {
  const { manifest } = archive;
  if (manifest.service !== service)
    throw new ImportRefused(`It is of ${manifest.service}, not of ${service}.`);
  if (manifest.migration > migration) {
    throw new ImportRefused(`It is of a newer version, with the migration ${manifest.migration}.`);
  }
  const known = new Set(tables.exported.map(({ name }) => name));
  const unknown = Object.keys(manifest.tables).find((name) => !known.has(name));
  if (unknown !== undefined) throw new ImportRefused(`${service} imports no table ${unknown}.`);
  await archive.verify();
}

/** How many rows a table has, which are the first of the archive. @throws {ImportRefused} for any other */
async function comparePrefix(rows: Snapshot, table: ArchivedTable, archive: OpenedArchive): Promise<number> {
  const lines = archive.lines(table.name);
  let count = 0;
  try {
    for await (const batch of rows.batches(table.read, [], { rows: table.rowsAtOnce })) {
      for (const { line } of batch) {
        const { value } = (await lines.next()) as { readonly value?: Line };
        if (!value || !isSame(value.text, line ?? '')) throw notEmpty(table.name);
        count += 1;
      }
    }
  } finally {
    await lines.return(undefined);
  }
  return count;
}

/** Whether a row has all that a line says: one of an earlier version says less. */
function isSame(line: string, row: string): boolean {
  if (line === row) return true;
  const [said, stored] = [line, row].map((text) => JSON.parse(text) as Record<string, unknown>);
  return Object.entries(said ?? {}).every(([column, value]) => isDeepStrictEqual(value, stored?.[column]));
}

const notEmpty = (table: string): ImportRefused =>
  new ImportRefused(
    `The organization is not empty: ${table} has rows that are not the beginning of this archive.`,
  );

async function* batchesOf(
  lines: AsyncIterable<Line>,
  { from, size }: { readonly from: number; readonly size: number },
): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = [];
  for await (const line of lines) {
    if (line.number <= from) continue;
    batch.push(line);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function writeBatch(tenant: Tenant, table: ImportedTable, batch: readonly Line[]): Promise<void> {
  try {
    await tenant.transaction((tx) => tx.query(table.write, [jsonOf(batch)]));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw (await firstRefused(tenant, table, batch)) ?? refusedRows(table, batch, error);
  }
}

/** Finds the first row of a refused batch that is refused by itself; nothing of it stays. */
async function firstRefused(
  tenant: Tenant,
  table: ImportedTable,
  batch: readonly Line[],
): Promise<ImportRefused | undefined> {
  let refused: ImportRefused | undefined;
  const undo = new Error('nothing of this stays');
  try {
    await tenant.transaction(async (tx) => {
      for (const line of batch) {
        try {
          await tx.query(table.write, [jsonOf([line])]);
        } catch (error) {
          if (isRefusal(error)) refused = refusedRows(table, [line], error);
          throw error;
        }
      }
      throw undo;
    });
  } catch (error) {
    if (error !== undo && !refused) throw error;
  }
  return refused;
}

const jsonOf = (batch: readonly Line[]): string => `[${batch.map(({ text }) => text).join(',')}]`;

/** What PostgreSQL says of a row that breaks a rule. What else it says may repeat the row. */
interface Refusal {
  readonly code: string;
  readonly constraint?: string;
  readonly column?: string;
  readonly message: string;
}

/** Data, a rule, or a policy; not the connection. */
const isRefusal = (error: unknown): error is Refusal => {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' && /^(?:22|23|42|44|P0)/.test(code);
};

function refusedRows({ name }: ArchivedTable, batch: readonly Line[], error: unknown): ImportRefused {
  const { code, constraint, column, message } = error as Refusal;
  const [first, last] = [batch[0]?.number, batch.at(-1)?.number];
  const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  const rule = constraint ?? (column === undefined ? message.split('"')[0]?.trim() : `column ${column}`);
  return new ImportRefused(`${name}, ${lines}: refused by ${rule} (${code}). Its batch was undone.`);
}
