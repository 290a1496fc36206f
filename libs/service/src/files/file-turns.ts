import { ApiError } from '@tenantry/envelope';
import { AddressedShares, type Share } from '@tenantry/fair-shares';
import { takeTurnOf, type Turning } from '../failures/turns.ts';

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

/**
 * Takes a turn for an organization.
 *
 * @throws RATE_LIMITED where too many wait, or its turn does not come in time
 */
export const takeTurn = (shares: AddressedShares, turning: Turning): Promise<Share> =>
  takeTurnOf(shares, turning, noTurnLeft);
