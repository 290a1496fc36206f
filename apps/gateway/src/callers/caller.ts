import type { Sharer } from '@tenantry/fair-shares';
import { siteKey } from '@tenantry/service-kit/addresses';

/** The caller, as far as the gateway knows. */
export interface Caller {
  /** The client address as it is counted, see `addressKey`. */
  readonly address: string;
  /** The user of an access token that the gateway has verified. */
  readonly userId?: string | undefined;
}

/**
 * Addresses take turns, and within one its users do: a further account gives no further turns. Nor does a further IPv6 network:
 * one customer may have 65,536 of them, so those of a /48 share its turns.
 */
export function sharerOf({ address, userId }: Caller): Sharer {
  const site = siteKey(address);
  const user = userId === undefined ? [] : [`user:${userId}`];
  return site === undefined
    ? [`address:${address}`, ...user]
    : [`address:${site}`, `address:${address}`, ...user];
}
