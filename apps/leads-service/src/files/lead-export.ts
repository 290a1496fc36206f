import { Readable } from 'node:stream';
import type { AddressedShares } from '@tenantry/fair-shares';
import { shownEmail } from '@tenantry/text';
import type { Tenant } from '../database.ts';
import type { Lead, SortedLeads } from '../leads/lead.ts';
import { leadTexts } from '../leads/lead-texts.ts';
import { byteOrderMark, csvText, csvTexts } from '@tenantry/service/archive';
import { pieceBytes, Spool, takeTurn, type SpoolSpace, type Turning } from '@tenantry/service/files';

/** What exports need. */
export interface LeadExportOptions {
  readonly leads: {
    /** All leads of a query, in batches of one snapshot. */
    read(tenant: Tenant, query: SortedLeads): AsyncGenerator<Lead[]>;
  };
  /** Timeout of reading the leads; the client may take longer to download the file. */
  readonly turns: AddressedShares;
  readonly space: SpoolSpace;
  readonly directory: string;
  /** How long a slow client may hold a turn that others wait for; default 10 s. */
  readonly patienceMs?: number;
}

/** The columns of a file, in the order that other programs know: the status is before the source. */
export const exportedColumns = [
  ...(['id', 'name', 'email', 'phone', 'status'] as const),
  ...leadTexts.slice(leadTexts.indexOf('source')),
  ...(['createdAt', 'updatedAt'] as const),
] as const satisfies readonly (keyof Lead)[];

/**
 * Writes leads to files. The leads are read in one snapshot, as fast as the database delivers them, and buffered on disk for
 * slower clients; never completely in memory.
 */
export class LeadExports {
  readonly #options: LeadExportOptions;

  constructor(options: LeadExportOptions) {
    this.#options = options;
  }

  /**
   * Starts a file; errors at the beginning are thrown before it is returned.
   *
   * @param turning its signal is aborted when the client goes away
   * @throws RATE_LIMITED where too many files are being read or written
   */
  async begin(tenant: Tenant, query: SortedLeads, turning: Turning): Promise<Readable> {
    const { leads, turns, space, directory } = this.#options;
    const { address, organizationId, signal } = turning;
    const turn = await takeTurn(turns, turning);
    const spool = new Spool({ space, directory, address, organizationId });
    signal.addEventListener('abort', () => void spool.close());
    const texts = fileOf(leads.read(tenant, query));
    try {
      await new Promise<void>((onBegin, onFailure) => {
        void this.#fill(spool, texts, onBegin)
          .catch(async (reason: unknown) => {
            const error = reason as Error;
            onFailure(error);
            await spool.fail(error);
          })
          .finally(() => turn.giveBack());
      });
    } catch (error) {
      await spool.close();
      signal.throwIfAborted();
      throw error;
    }
    return Readable.from(readAndClose(spool), { objectMode: false });
  }

  /** Leaving the loop releases the database connection. */
  async #fill(spool: Spool, texts: AsyncIterable<string>, onBegin: () => void): Promise<void> {
    const { turns, patienceMs = 10_000 } = this.#options;
    for await (const text of texts) {
      for (const piece of piecesOf(Buffer.from(text))) {
        for (const since = performance.now(); !(await isTaken(spool, piece));) {
          const isAwaited = turns.waiting > 0;
          if (isAwaited && performance.now() - since > patienceMs) throw new Error('The client is too slow.');
          await spool.room();
        }
        onBegin();
      }
    }
    spool.end();
  }
}

async function* fileOf(batches: AsyncIterable<readonly Lead[]>): AsyncGenerator<string> {
  let header = byteOrderMark + csvText([exportedColumns]);
  for await (const leads of batches) {
    for await (const text of csvTexts(leads.map(cellsOf))) {
      yield header + text;
      header = '';
    }
  }
  if (header !== '') yield header;
}

/** A client that keeps up needs no room on the disk, so an export takes none from other files. */
const isTaken = async (spool: Spool, piece: Buffer): Promise<boolean> =>
  (await spool.writeIfFree(piece)) || spool.hand(piece);

/** Parts that are small enough for what room is left on the disk. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** A file is for people: an address stands in it as people write it, and is read back as it is stored. */
function cellsOf(lead: Lead) {
  const shown = { ...lead, email: shownEmail(lead.email) };
  return exportedColumns.map((column) => shown[column]);
}

async function* readAndClose(spool: Spool): AsyncGenerator<Buffer> {
  try {
    yield* spool.read();
  } finally {
    await spool.close();
  }
}
