import type { Sharer } from '@tenantry/fair-shares';

/** Who asks, as far as the gateway knows. */
export interface Caller {
  /** The client address as it is counted, see `addressKey`. */
  readonly address: string;
  /** The user of an access token that the gateway has verified. */
  readonly userId?: string | undefined;
}

/** Users of one address take turns with each other, and addresses with addresses: an account more is no turn more. */
export function sharerOf({ address, userId }: Caller): Sharer {
  return userId === undefined ? [`address:${address}`] : [`address:${address}`, `user:${userId}`];
}
