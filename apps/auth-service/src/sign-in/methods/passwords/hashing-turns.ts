import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking } from '@tenantry/fair-shares';
import { measureShares, type Measurement } from '@tenantry/service-kit/metrics';

/** How many hashes run at once. */
export interface HashingTurnsOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
}

/** The gateway's timeout, less the hashing itself: after that no one reads the response. */
const waitMsMax = 8_000;

/**
 * Shares the processors among those who hash passwords, the most expensive work of the service: organizations, signed-in users and
 * client addresses take turns. An address has no more work in line than runs at once, however many accounts and organizations
 * it asks for; the rest waits behind that, each account in turn.
 */
export class HashingTurns {
  readonly measurements: readonly Measurement[];
  readonly #turns: AddressedShares;

  constructor({ runningMax, waitingMax }: HashingTurnsOptions) {
    this.#turns = new AddressedShares({ name: 'password-hashing', runningMax, waitingMax, waitMsMax });
    this.measurements = this.#turns.shares.flatMap(measureShares);
  }

  /**
   * Does a piece of work once its turn has come.
   *
   * @throws UPSTREAM_UNAVAILABLE (503, Retry-After) to whoever has the most waiting when the line is full
   */
  async run<Result>(asking: Asking, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#turns.run(asking, work);
    } catch (error) {
      throw error instanceof NoShareError ? busy(error) : error;
    }
  }
}

function busy(cause: NoShareError): ApiError {
  const message = 'Too many passwords are being checked right now. Try again shortly.';
  return new ApiError('UPSTREAM_UNAVAILABLE', message, { headers: { 'retry-after': '5' }, cause });
}
