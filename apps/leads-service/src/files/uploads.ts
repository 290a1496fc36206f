import { createHash } from 'node:crypto';
import { textOf } from '@tenantry/service-kit';
import type { Share } from '@tenantry/fair-shares';
import { takeTurn, type FileTurns, type Turning } from './file-turns.ts';
import { noRoomLeft } from './lead-files.errors.ts';
import { Spool, SpoolEvicted } from './spool.ts';
import type { SpoolSpace } from './spool-space.ts';

export interface UploadsOptions {
  readonly turns: FileTurns;
  readonly space: SpoolSpace;
  readonly directory: string;
}

/** A completely received file, and the turn to process it. */
export class ReceivedFile {
  readonly signal: AbortSignal;
  readonly #spool: Spool;
  readonly #sha256: string;
  readonly #turn: Share;

  constructor(parts: { spool: Spool; sha256: string; turn: Share; signal: AbortSignal }) {
    this.#spool = parts.spool;
    this.#sha256 = parts.sha256;
    this.#turn = parts.turn;
    this.signal = parts.signal;
  }

  /** Its text, once. */
  text(): AsyncGenerator<string> {
    return textOf(this.#spool.read());
  }

  /** Identifies a repeated request. */
  toJSON(): object {
    return { sha256: this.#sha256 };
  }

  async close(): Promise<void> {
    this.#turn.giveBack();
    await this.#spool.close();
  }
}

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
  async receive(pieces: AsyncIterable<Buffer>, sender: Turning): Promise<ReceivedFile> {
    const { turns, space, directory } = this.#options;
    const { organizationId, signal } = sender;
    const spool = new Spool({ space, directory, organizationId });
    try {
      const upload = await takeTurn(turns.uploads, sender);
      const sha256 = await fill(spool, pieces).finally(() => upload.giveBack());
      const turn = await takeTurn(turns.work, sender);
      if (spool.protect()) return new ReceivedFile({ spool, sha256, turn, signal });
      turn.giveBack();
      throw noRoomLeft();
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
