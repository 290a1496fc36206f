import { createHash } from 'node:crypto';
import type { Turning } from '../failures/turns.ts';
import { takeTurn, type FileTurns } from './file-turns.ts';
import { noRoomLeft } from './files.errors.ts';
import { Spool, SpoolEvicted } from './spool.ts';
import type { SpoolSpace } from './spool-space.ts';

export interface UploadsOptions {
  readonly turns: FileTurns;
  readonly space: SpoolSpace;
  readonly directory: string;
}

/** A completely received file, and the turn to process it. */
export type ReceivedFile = Awaited<ReturnType<Uploads['receive']>>;

/** Receives uploads: first the whole file, however slowly it arrives, then a turn to process it. */
export class Uploads {
  readonly #options: UploadsOptions;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /**
   * Receives a file. Close it after processing.
   *
   * @throws RATE_LIMITED where too many files are on their way, or there is no room for this one
   */
  async receive(pieces: AsyncIterable<Buffer>, sender: Turning) {
    const { turns, space, directory } = this.#options;
    const { address, organizationId, signal } = sender;
    const spool = new Spool({ space, directory, address, organizationId });
    try {
      const upload = await takeTurn(turns.uploads, sender);
      const sha256 = await fill(spool, pieces).finally(() => upload.giveBack());
      const turn = await takeTurn(turns.work, sender);
      if (!spool.protect()) {
        turn.giveBack();
        throw noRoomLeft();
      }
      return {
        signal,
        /** Its bytes, as often as needed. */
        bytes: { size: spool.size, read: (at: number, length: number) => spool.readAt(at, length) },
        /** Identifies a repeated request. */
        toJSON: () => ({ sha256 }),
        close: async () => {
          turn.giveBack();
          await spool.close();
        },
      };
    } catch (error) {
      await spool.close();
      signal.throwIfAborted();
      throw error instanceof SpoolEvicted ? noRoomLeft() : error;
    }
  }
}

/** @returns the SHA-256 of what was written, hexadecimal */
async function fill(spool: Spool, pieces: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of pieces) {
    digest.update(piece);
    if (!(await spool.write(piece))) throw noRoomLeft();
  }
  spool.end();
  return digest.digest('hex');
}
