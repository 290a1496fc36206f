import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { piecesFrom, type FileBytes } from './file-bytes.ts';
import { notATable } from './tables.errors.ts';

/** A workbook has a few dozen. */
const entriesMax = 2_000;
/** Texts of a table are compressed to a tenth, rarely to a fiftieth. */
const ratioMax = 100;
const ratioCountsFromBytes = 4 * 1024 * 1024;
const expandedBytesMax = 512 * 1024 * 1024;

/** Lets yauzl read a file piece by piece. */
class BytesReader extends RandomAccessReader {
  readonly #bytes: FileBytes;

  constructor(bytes: FileBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { read } = this.#bytes;
    const part: FileBytes = { size: end, read: (at, length) => read(at, Math.min(length, end - at)) };
    return Readable.from(piecesFrom(part, start), { objectMode: false });
  }
}

/** The entries of an archive, without reading any. */
export class ZipArchive {
  readonly #file: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #expandedBytes = 0;

  private constructor(file: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @throws VALIDATION_ERROR for what is damaged */
  static async open(bytes: FileBytes): Promise<ZipArchive> {
    try {
      const file = await fromRandomAccessReaderPromise(new BytesReader(bytes), bytes.size, {
        autoClose: false,
      });
      if (file.entryCount > entriesMax) throw notATable('archive');
      const entries = new Map<string, Entry>();
      for await (const entry of file.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
      return new ZipArchive(file, entries);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /**
   * The text of an entry as it is expanded; nothing if there is none of this name, in any case.
   *
   * @throws VALIDATION_ERROR for what is damaged, encrypted, or far larger than it was sent
   */
  async *text(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name.toLowerCase());
    if (!entry) return;
    if (entry.isEncrypted()) throw notATable('password');
    const decoder = new TextDecoder();
    let bytes = 0;
    try {
      const stream = await this.#file.openReadStreamPromise(entry);
      for await (const piece of stream as AsyncIterable<Buffer>) {
        bytes += piece.length;
        this.#expandedBytes += piece.length;
        const isBomb = bytes > ratioCountsFromBytes && bytes > ratioMax * entry.compressedSize;
        if (isBomb || this.#expandedBytes > expandedBytesMax) throw notATable('bomb');
        yield decoder.decode(piece, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

/** What yauzl and zlib say of an archive is for nobody but its author. */
function refusalOf(error: unknown): unknown {
  const isTheirs = error instanceof Error && error.constructor === Error;
  const { code } = error as { readonly code?: unknown };
  const isZlib = typeof code === 'string' && code.startsWith('Z_');
  return (isTheirs && code === undefined) || isZlib ? notATable('damaged') : error;
}
