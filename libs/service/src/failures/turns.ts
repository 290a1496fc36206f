import type { ApiError } from '@tenantry/envelope';
import { NoShareError, type AddressedShares, type Share } from '@tenantry/fair-shares';

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
 * @param noTurnLeft the refusal where too many wait, or its turn does not come in time
 */
export async function takeTurnOf(
  shares: AddressedShares,
  { organizationId, address, signal }: Turning,
  noTurnLeft: () => ApiError,
): Promise<Share> {
  try {
    return await shares.take({ organizationId, address }, { signal });
  } catch (error) {
    throw error instanceof NoShareError ? noTurnLeft() : error;
  }
}
