import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { OrganizationScope, TenantScope, TenantSnapshot } from '@tenantry/tenancy';
import { ZipFile } from 'yazl';
import { unscopedStatement } from '../statements.ts';
import type { ArchivedTable, ArchiveTables } from './archive-tables.ts';
import { byteOrderMark, csvText, csvTexts } from './csv.ts';
import { readMes } from './read-me.ts';

/** The format of an archive, which its manifest names. */
export const archiveFormat = 'tenantry-organization/1';

/** What is in an archive. It is written last: an archive without it is not whole. */
export interface Manifest {
  readonly format: typeof archiveFormat;
  readonly service: string;
  readonly organizationId: string;
  /** As of which everything is. */
  readonly moment: string;
  /** The last migration of the database. */
  readonly migration: string;
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
}

/** A row as the archive has it, by its columns. */
type Row = Readonly<Record<string, unknown>>;

/** A table for people: a file of comma-separated values. */
export interface SheetOf {
  /** Its file, without `.csv`. */
  readonly name: string;
  /** The exported table of its rows. */
  readonly table: string;
  /** What the file calls a column, by the column of the table. */
  readonly columns: Readonly<Record<string, string>>;
  /** Rows that people see; default: all. */
  readonly shows?: (row: Row) => boolean;
}

/** A file of an archive beside its tables, such as a PDF: it is compressed already. */
export interface ArchivedFile {
  /** Within the archive, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a service puts into archives. */
export interface ArchiveParts {
  /** The service, as `leads-service`. */
  readonly service: string;
  /** The name of its last migration. */
  readonly migration: () => Promise<string>;
  readonly tables: ArchiveTables;
  readonly sheets?: readonly SheetOf[];
}

/** The rows of the organization. */
export type ArchivedTenant = Pick<TenantScope<OrganizationScope>, 'scope' | 'snapshot'>;

/** What is asked for. */
export interface ArchiveAsked {
  readonly tenant: ArchivedTenant;
  /** Files that come after the tables. */
  readonly files?: (moment: Date) => AsyncIterable<ArchivedFile>;
}

/** Also ends that of a client that reads slowly: while it lasts, PostgreSQL cleans up nothing that was deleted since. */
const snapshotMsMax = 30 * 60_000;

const momentOfSnapshot = unscopedStatement({
  name: 'archive-moment',
  text: 'SELECT clock_timestamp() AS moment',
});

/** Writes all that a service has of an organization to an archive (ZIP). */
export class Archives {
  readonly #parts: ArchiveParts;

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
  }

  /**
   * Begins an archive. Its tables are read as of one moment, as fast as its reader takes them, and a batch of rows at a time is in
   * memory. An error, or a reader that is gone, ends it without a manifest.
   */
  begin(asked: ArchiveAsked): Readable {
    const zip = new ZipFile();
    // PassThrough, as yazl has it.
    const output = zip.outputStream as PassThrough;
    const gone = new AbortController();
    // It may fail before anyone reads it, who then finds it destroyed.
    output.on('error', () => undefined);
    output.once('close', () => gone.abort(new Error('The archive has no reader any more.')));
    zip.on('error', (error: Error) => output.destroy(error));
    this.#write(new Entries(zip, gone.signal), asked).then(
      () => zip.end(),
      (error: unknown) => output.destroy(error as Error),
    );
    return output;
  }

  async #write(entries: Entries, { tenant, files = none }: ArchiveAsked): Promise<void> {
    const { service, migration, tables, sheets = [] } = this.#parts;
    for (const { path, text } of readMes(service, tables)) await entries.add(path, [Buffer.from(text)]);
    const manifest = await tenant.snapshot(
      async (rows): Promise<Manifest> => {
        const [now] = await rows.query(momentOfSnapshot, []);
        if (!now) throw new Error('PostgreSQL did not say what time it is.');
        const sums: Record<string, Manifest['tables'][string]> = {};
        for (const table of tables.exported) sums[table.name] = await this.#writeTable(entries, rows, table);
        for (const sheet of sheets) await this.#writeSheet(entries, rows, sheet);
        const { organizationId } = rows.scope;
        const moment = now.moment.toISOString();
        const head = { format: archiveFormat, service, organizationId, moment } as const;
        return { ...head, migration: await migration(), tables: sums };
      },
      { limitMs: snapshotMsMax },
    );
    for await (const { path, bytes } of files(new Date(manifest.moment)))
      await entries.add(path, [bytes], { isCompressed: true });
    await entries.add('manifest.json', [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
  }

  async #writeTable(
    entries: Entries,
    rows: TenantSnapshot<OrganizationScope>,
    table: ArchivedTable,
  ): Promise<Manifest['tables'][string]> {
    const hash = createHash('sha256');
    let count = 0;
    async function* pieces(): AsyncGenerator<Buffer> {
      for await (const batch of linesOf(rows, table)) {
        const piece = Buffer.from(`${batch.join('\n')}\n`);
        hash.update(piece);
        count += batch.length;
        yield piece;
      }
    }
    await entries.add(`data/${table.name}.ndjson`, pieces());
    return { rows: count, sha256: hash.digest('hex') };
  }

  async #writeSheet(
    entries: Entries,
    rows: TenantSnapshot<OrganizationScope>,
    { name, table: of, columns, shows = () => true }: SheetOf,
  ): Promise<void> {
    const table = this.#parts.tables.exported.find((one) => one.name === of);
    if (!table) throw new Error(`${of} is not exported, and cannot be shown as ${name}.csv.`);
    const shown = Object.keys(columns);
    async function* pieces(read: ArchivedTable): AsyncGenerator<Buffer> {
      yield Buffer.from(byteOrderMark + csvText([Object.values(columns)]));
      for await (const batch of linesOf(rows, read)) {
        const parsed = batch.map((line) => JSON.parse(line) as Row).filter(shows);
        const cells = parsed.map((row) => shown.map((column) => cellOf(row[column])));
        for await (const text of csvTexts(cells)) yield Buffer.from(text);
      }
    }
    await entries.add(`csv/${name}.csv`, pieces(table));
  }
}

async function* linesOf(
  rows: TenantSnapshot<OrganizationScope>,
  { read, rowsAtOnce }: ArchivedTable,
): AsyncGenerator<readonly string[]> {
  for await (const batch of rows.batches(read, [], { rows: rowsAtOnce }))
    yield batch.map(({ line }) => line ?? '{}');
}

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The files of a service that has none. */
export async function* none(): AsyncGenerator<ArchivedFile> {}

/** The entries of an archive that is being written, one after the other. */
class Entries {
  readonly #zip: ZipFile;
  readonly #signal: AbortSignal;

  constructor(zip: ZipFile, signal: AbortSignal) {
    this.#zip = zip;
    this.#signal = signal;
  }

  /** Adds an entry, which is read as fast as the archive is. @throws what its pieces throw, or the reason why nobody reads it */
  async add(
    path: string,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    { isCompressed = false }: { readonly isCompressed?: boolean } = {},
  ): Promise<void> {
    this.#signal.throwIfAborted();
    const input = Readable.from(pieces, { objectMode: false });
    const end = finished(input, { signal: this.#signal, writable: false });
    // The same bytes whenever and wherever they are written.
    this.#zip.addReadStream(input, path, { mtime: new Date(0), mode: 0o100644, compress: !isCompressed });
    try {
      await end;
    } catch (error) {
      if (!input.closed) {
        input.destroy();
        await once(input, 'close').catch(() => undefined);
      }
      this.#signal.throwIfAborted();
      throw error;
    }
  }
}
