import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking, type Share } from '@tenantry/fair-shares';
import { measureShares, type Measurement } from '@tenantry/service/metrics';

/** How many hashes run at once. */
interface HashingTurnsOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Default: 8 s, the gateway's timeout less the hashing itself: after that the response is not read. */
  readonly waitMsMax?: number | undefined;
}

/**
 * Shares the processors for hashing passwords, the most expensive work of the service: organizations, signed-in users and
 * client addresses take turns. An address has at most as many jobs in the queue as run in parallel, however many accounts and
 * organizations it uses; the rest waits before the queue, each account in turn.
 */
export class HashingTurns {
  readonly measurements: readonly Measurement[];
  readonly #turns: AddressedShares;

  constructor({ runningMax, waitingMax, waitMsMax = 8_000 }: HashingTurnsOptions) {
    this.#turns = new AddressedShares({ name: 'password-hashing', runningMax, waitingMax, waitMsMax });
    this.measurements = this.#turns.shares.flatMap(measureShares);
  }

  /**
   * Waits for a turn, until it is given back.
   *
   * @throws UPSTREAM_UNAVAILABLE (503, Retry-After) for the sharer with the most waiting jobs if the queue is full
   */
  async take(asking: Asking): Promise<Share> {
    try {
      return await this.#turns.take(asking);
    } catch (error) {
      throw error instanceof NoShareError ? busy(error) : error;
    }
  }
}

function busy(cause: NoShareError): ApiError {
  const message = 'Too many passwords are being checked right now. Try again shortly.';
  return new ApiError('UPSTREAM_UNAVAILABLE', message, { headers: { 'retry-after': '5' }, cause });
}
