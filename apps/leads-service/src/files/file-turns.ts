import { ApiError } from '@tenantry/envelope';
import { FairShares, NoShareError, sharerOf, type Share } from '@tenantry/fair-shares';

/** Uploads and long work on files, each shared in turn by organizations. */
export interface FileTurns {
  /** Reading or writing a file in the database: a turn keeps one of its connections. */
  readonly work: FairShares;
  /** Files that arrive: each keeps a connection to a client. */
  readonly uploads: FairShares;
}

/** What is thrown where too many files are in hand. */
export const noTurnLeft = () =>
  new ApiError('RATE_LIMITED', 'Other files are being read or written. Try again shortly.', {
    headers: { 'retry-after': '5' },
  });

/** Makes the turns of one instance. */
export function createFileTurns(): FileTurns {
  return {
    // A few of a pool's connections: the others answer everyone else.
    work: new FairShares({
      name: 'lead-files',
      runningMax: 2,
      runningPerSharerMax: 1,
      waitingMax: 64,
      waitingPerSharerMax: 4,
      waitMsMax: 120_000,
    }),
    uploads: new FairShares({ name: 'lead-uploads', runningMax: 256, runningPerSharerMax: 4, waitingMax: 0 }),
  };
}

/**
 * Takes a turn for an organization.
 *
 * @throws RATE_LIMITED where too many wait, or its turn does not come in time
 */
export async function takeTurn(
  shares: FairShares,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<Share> {
  try {
    return await shares.take(sharerOf({ organizationId }), { signal });
  } catch (error) {
    throw error instanceof NoShareError ? noTurnLeft() : error;
  }
}
