import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { archiveFormat, type Manifest } from './archive.ts';
import { ImportRefused } from './import-refused.ts';

/** A row of a table, and its place in the file. */
export interface Line {
  /** From 1 on. */
  readonly number: number;
  readonly text: string;
}

/** All that an archive may unpack to, in bytes: 20 GB. */
const unpackedBytesMax = 20 * 1024 ** 3;
/** Lines of tables are compressed to a tenth, rarely to a fiftieth. */
const ratioMax = 100;
const ratioCountsFromBytes = 1024 * 1024;
/** A row has a picture of 256 KiB at most, or a contract. */
const lineBytesMax = 16 * 1024 * 1024;
const manifestBytesMax = 1024 * 1024;

const sums = Type.Record(
  Type.String(),
  Type.Object({
    rows: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
);
const ManifestSchema = Type.Object({
  format: Type.String(),
  service: Type.String(),
  organizationId: Type.String(),
  moment: Type.String(),
  migration: Type.String(),
  tables: sums,
});

const fileOf = (table: string): string => `data/${table}.ndjson`;
/** What an archive has beside its tables. */
const otherFiles =
  /^(?:manifest\.json|README\.txt|LÄSMIG\.txt|csv\/[\w-]+\.csv|logo\.(?:png|jpg)|pdf\/[\p{L}\p{N}_-]+\.(?:pdf|txt))$/u;

/** An archive to be read, whose entries are known and not too large. */
export class OpenedArchive {
  readonly manifest: Manifest;
  readonly #file: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(file: ZipFile, entries: ReadonlyMap<string, Entry>, manifest: Manifest) {
    this.#file = file;
    this.#entries = entries;
    this.manifest = manifest;
  }

  /**
   * Opens an archive, of which nothing but its list of entries and its manifest is read.
   *
   * @throws {ImportRefused} for what is no archive of this format, or broke off; for an entry of another name; for more than 20 GB,
   * or a hundred times of what is compressed
   */
  static async open(path: string): Promise<OpenedArchive> {
    // It refuses names with `..` by itself, absolute ones, and more bytes than an entry says.
    const file = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(damaged);
    try {
      const entries = await entriesOf(file);
      const entry = entries.get('manifest.json');
      if (!entry) throw new ImportRefused('It has no manifest: the download broke off.');
      if (entry.uncompressedSize > manifestBytesMax) throw new ImportRefused('Its manifest is too large.');
      const pieces: Buffer[] = [];
      for await (const piece of await bytesOf(file, entry)) pieces.push(piece);
      const archive = new OpenedArchive(file, entries, manifestIn(Buffer.concat(pieces).toString()));
      archive.#compareEntries();
      return archive;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** The rows of a table, as they are unpacked. */
  async *lines(table: string): AsyncGenerator<Line> {
    const entry = this.#entries.get(fileOf(table));
    if (!entry) return;
    let number = 0;
    let begun: Buffer = Buffer.alloc(0);
    for await (const piece of await bytesOf(this.#file, entry)) {
      let from = 0;
      for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, from)) {
        const line = Buffer.concat([begun, piece.subarray(from, end)]);
        yield { number: (number += 1), text: line.toString() };
        begun = Buffer.alloc(0);
        from = end + 1;
      }
      begun = Buffer.concat([begun, piece.subarray(from)]);
      if (begun.length > lineBytesMax) throw new ImportRefused(`${table}: line ${number + 1} is too long.`);
    }
    if (begun.length > 0) throw new ImportRefused(`${table}: its last line is not whole.`);
  }

  /** Reads every table once. @throws {ImportRefused} for one whose rows or digest are not those of the manifest */
  async verify(): Promise<void> {
    for (const [table, { rows, sha256 }] of Object.entries(this.manifest.tables)) {
      const hash = createHash('sha256');
      let count = 0;
      for await (const { text } of this.lines(table)) {
        hash.update(text).update('\n');
        count += 1;
      }
      if (count !== rows || hash.digest('hex') !== sha256)
        throw new ImportRefused(`${fileOf(table)} is not the file of the manifest: its digest is another.`);
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#file, 'close');
    this.#file.close();
    await closed;
  }

  /** Every file of data is in the manifest, and the other way round. */
  #compareEntries(): void {
    const tables = new Set(Object.keys(this.manifest.tables).map(fileOf));
    for (const name of this.#entries.keys()) {
      if (!tables.has(name) && !otherFiles.test(name))
        throw new ImportRefused(`It has ${name}, which is in no list.`);
    }
    for (const name of tables) if (!this.#entries.has(name)) throw new ImportRefused(`It lacks ${name}.`);
  }
}

async function entriesOf(file: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of file.eachEntry()) {
      const { fileName: name, uncompressedSize, compressedSize } = entry;
      bytes += uncompressedSize;
      if (entries.has(name)) throw new ImportRefused(`It has ${name} twice.`);
      if (entry.isEncrypted()) throw new ImportRefused(`${name} is encrypted.`);
      if (bytes > unpackedBytesMax) throw new ImportRefused('It unpacks to more than 20 GB.');
      if (uncompressedSize > ratioCountsFromBytes && uncompressedSize > ratioMax * compressedSize)
        throw new ImportRefused(`${name} unpacks to more than a hundred times its size.`);
      entries.set(name, entry);
    }
  } catch (error) {
    return damaged(error);
  }
  return entries;
}

/** The bytes of an entry: no more than it says, and yauzl refuses others. */
async function bytesOf(file: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  const stream = await file.openReadStreamPromise(entry).catch(damaged);
  return stream as AsyncIterable<Buffer>;
}

function manifestIn(text: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new ImportRefused('Its manifest is not JSON.');
  }
  const { format } = Object(manifest) as { readonly format?: unknown };
  if (format !== archiveFormat)
    throw new ImportRefused(`Its format is ${JSON.stringify(format)}, not ${archiveFormat}.`);
  if (!Check(ManifestSchema, manifest)) throw new ImportRefused('Its manifest is not complete.');
  return manifest as Manifest;
}

function damaged(error: unknown): never {
  if (error instanceof ImportRefused) throw error;
  throw new ImportRefused(`It is not a whole ZIP archive: ${(error as Error).message}`, { cause: error });
}
