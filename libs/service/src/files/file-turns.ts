import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Share } from '@tenantry/fair-shares';

/** The error when too many files are being processed. */
export const noTurnLeft = () =>
  new ApiError('RATE_LIMITED', 'Other files are being read or written. Try again shortly.', {
    headers: { 'retry-after': '5' },
  });

/**
 * Uploads and long-running work on files in one instance, each shared in turn by organizations, many of which may be behind one
 * address.
 */
export class FileTurns {
  /**
   * Reading or writing a file in the database. A turn holds a connection, so there are only a few: the rest of the pool serves
   * other requests.
   */
  readonly work: AddressedShares;
  /** Uploads: each is held for as long as its client sends, so an address never gets more than a quarter of what is free. */
  readonly uploads: AddressedShares;

  /** @param noun names the shares in measurements, `lead-files` and `lead-uploads` */
  constructor(noun: string) {
    this.work = new AddressedShares({
      name: `${noun}-files`,
      runningMax: 2,
      runningPerSharerMax: 1,
      waitingMax: 64,
      waitingPerSharerMax: 4,
      waitMsMax: 120_000,
    });
    this.uploads = new AddressedShares({
      name: `${noun}-uploads`,
      runningMax: 256,
      runningPerSharerMax: 4,
      partOfFreePerAddressMax: 1 / 4,
      waitingMax: 0,
    });
  }
}

/** The sharer of a turn, and its signal. */
export interface Turning {
  readonly organizationId: string;
  /** The client address as it is counted. */
  readonly address: string;
  readonly signal: AbortSignal;
}

/**
 * Takes a turn for an organization.
 *
 * @throws RATE_LIMITED where too many wait, or its turn does not come in time
 */
export async function takeTurn(
  shares: AddressedShares,
  { organizationId, address, signal }: Turning,
): Promise<Share> {
  try {
    return await shares.take({ organizationId, address }, { signal });
  } catch (error) {
    throw error instanceof NoShareError ? noTurnLeft() : error;
  }
}
