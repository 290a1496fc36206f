/** The bytes of a file that has arrived, to be read from anywhere and as often as needed. */
export interface FileBytes {
  readonly size: number;
  /** Up to `length` bytes from a position: fewer only at the end of the file. */
  readonly read: (at: number, length: number) => Promise<Buffer>;
}

const pieceBytes = 64 * 1024;

/** All bytes from a position on, in pieces. */
export async function* piecesFrom(bytes: FileBytes, at: number): AsyncGenerator<Buffer> {
  for (let from = at; from < bytes.size; from += pieceBytes) yield bytes.read(from, pieceBytes);
}

/** A file that is in memory. */
export const bytesInMemory = (buffer: Buffer): FileBytes => ({
  size: buffer.length,
  read: async (at, length) => buffer.subarray(at, at + length),
});
