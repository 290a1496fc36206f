import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpooledFile, SpoolOwner, SpoolSpace } from './spool-space.ts';

/** The storage of temporary files. */
export interface SpoolOptions extends SpoolOwner {
  readonly space: SpoolSpace;
  readonly directory: string;
}

/** Part of a temporary file, deleted once it is read. */
interface Segment {
  readonly file: FileHandle;
  written: number;
  read: number;
}

const segmentBytes = 4 * 1024 * 1024;
/** How much is read at once. */
export const pieceBytes = 64 * 1024;
/** How long to wait before trying again to get space. */
const roomMs = 250;
const noRoom = new Set(['ENOSPC', 'EDQUOT']);

/** The file lost its disk space to another. */
export class SpoolEvicted extends Error {
  override readonly name = 'SpoolEvicted';

  constructor() {
    super('The file gave way to that of another organization.');
  }
}

/**
 * A disk buffer between a fast writer and a reader that may be slow, at the same time. Its files are unlinked, and gone with
 * the process.
 */
export class Spool {
  readonly #directory: string;
  readonly #space: SpoolSpace;
  readonly #held: SpooledFile;
  readonly #segments: Segment[] = [];
  /** Bytes for which the disk had no room, handed to the reader from memory. */
  #inHand: Buffer | undefined;
  #isWhole = false;
  #error: Error | undefined;
  readonly #waiting = new Set<() => void>();

  constructor({ space, directory, address, organizationId }: SpoolOptions) {
    this.#directory = directory;
    this.#space = space;
    const evict = (): void => void this.fail(new SpoolEvicted());
    this.#held = space.open({ address, organizationId, evict });
  }

  /**
   * Appends bytes; one call after the other.
   *
   * @returns false where there is no room for them: nothing was written
   * @throws what the file failed with
   */
  async write(bytes: Uint8Array): Promise<boolean> {
    return (
      (await this.writeIfFree(bytes)) || (this.#space.take(this.#held, bytes.length) && this.#append(bytes))
    );
  }

  /** The same, but takes no space from other files. */
  async writeIfFree(bytes: Uint8Array): Promise<boolean> {
    this.#check();
    if (!this.#space.takeFree(this.#held, bytes.length)) {
      // What has been read makes room, so that a file never waits for itself.
      await this.#freeRead();
      this.#check();
      if (!this.#space.takeFree(this.#held, bytes.length)) return false;
    }
    return this.#append(bytes);
  }

  /**
   * Hands bytes to the reader from memory, if everything before them has been read.
   *
   * @returns false where it has not
   * @throws what the file failed with
   */
  hand(bytes: Buffer): boolean {
    this.#check();
    if (this.#inHand || this.#segments.some(isUnread)) return false;
    this.#inHand = bytes;
    this.#announce();
    return true;
  }

  /** Resolves when there may be room again. */
  async room(): Promise<void> {
    const timer = setTimeout(() => this.#announce(), roomMs);
    await this.#change();
    clearTimeout(timer);
  }

  /** Nothing more will be written. */
  end(): void {
    this.#isWhole = true;
    this.#announce();
  }

  /** Ends both sides with an error, and deletes what is left of the file. */
  async fail(error: Error): Promise<void> {
    this.#error ??= error;
    this.#space.close(this.#held);
    this.#announce();
    await Promise.all(this.#segments.splice(0).map(({ file }) => file.close()));
  }

  /** From now on it may not be dropped for other files. @returns false if it already was */
  protect(): boolean {
    this.#held.isProtected = true;
    return this.#error === undefined;
  }

  /**
   * The bytes in the order in which they were written, once.
   *
   * @throws what the file failed with
   */
  async *read(): AsyncGenerator<Buffer> {
    for (;;) {
      this.#check();
      const [segment, next] = this.#segments;
      const inHand = this.#inHand;
      if (inHand) {
        this.#inHand = undefined;
        this.#announce();
        yield inHand;
      } else if (segment && isUnread(segment)) {
        const piece = await this.#readPiece(segment);
        if (!isUnread(segment)) this.#announce();
        yield piece;
      } else if (segment && (next || this.#isWhole)) {
        this.#segments.shift();
        await segment.file.close();
        this.#held.bytes -= segment.written;
        this.#announce();
      } else if (this.#isWhole) {
        return;
      } else {
        await this.#change();
      }
    }
  }

  /** How many bytes of it there are. */
  get size(): number {
    return this.#segments.reduce((sum, { written }) => sum + written, 0);
  }

  /**
   * Up to `length` bytes from a position, of a file that is whole and of which nothing has been read: as often as needed.
   *
   * @throws what the file failed with
   */
  async readAt(at: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let begin = 0;
    for (const { file, written } of this.#segments) {
      const [from, to] = [Math.max(at, begin), Math.min(at + length, begin + written)];
      if (from < to) pieces.push(await this.#readPart(file, { at: from - begin, length: to - from }));
      begin += written;
    }
    this.#check();
    const [only = Buffer.alloc(0)] = pieces;
    return pieces.length > 1 ? Buffer.concat(pieces) : only;
  }

  /** Deletes what is left of it. */
  async close(): Promise<void> {
    await this.fail(new Error('The file was closed.'));
  }

  /** Writes bytes for which space is taken. */
  async #append(bytes: Uint8Array): Promise<boolean> {
    try {
      const segment = await this.#segmentToWrite();
      await writeAll(segment, bytes);
    } catch (error) {
      this.#held.bytes -= bytes.length;
      this.#check();
      if (noRoom.has(String((error as NodeJS.ErrnoException).code))) return false;
      throw error;
    }
    this.#announce();
    return true;
  }

  async #segmentToWrite(): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last && last.written < segmentBytes) return last;
    const segment = { file: await openNameless(this.#directory), written: 0, read: 0 };
    this.#segments.push(segment);
    if (this.#error) await this.close();
    this.#check();
    return segment;
  }

  /** Releases the space of the part that is written to, once it is read. */
  async #freeRead(): Promise<void> {
    const last = this.#segments.at(-1);
    if (!last || last.written === 0 || isUnread(last)) return;
    await last.file.truncate().catch((error: unknown) => {
      this.#check();
      throw error;
    });
    this.#held.bytes -= last.written;
    last.written = last.read = 0;
  }

  async #readPiece(segment: Segment): Promise<Buffer> {
    const length = Math.min(pieceBytes, segment.written - segment.read);
    const piece = await this.#readPart(segment.file, { at: segment.read, length });
    segment.read += piece.length;
    return piece;
  }

  async #readPart(file: FileHandle, { at, length }: { at: number; length: number }): Promise<Buffer> {
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      this.#check();
      throw error;
    }
  }

  #check(): void {
    if (this.#error) throw this.#error;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #announce(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

const isUnread = ({ read, written }: Segment): boolean => read < written;

/** An unlinked file, accessible only by its handle. */
async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `tenantry-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function writeAll(segment: Segment, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await segment.file.write(bytes, at, bytes.length - at, segment.written + at);
    at += bytesWritten;
  }
  segment.written += bytes.length;
}
