import type { Sharer } from '@tenantry/fair-shares';
import { siteKey } from '@tenantry/service/addresses';

/** The caller, as far as the gateway knows. */
export interface Caller {
  /** The client address as it is counted, see `addressKey`. */
  readonly address: string;
  /** Of an access token that the gateway has verified, and that no service has refused. */
  readonly user?: KnownUser | undefined;
  /** The session of an access token that a service has refused. */
  readonly refusedSessionId?: string | undefined;
}

/** The user and the session of an access token. */
export interface KnownUser {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Addresses take turns, and within one its users do: a further account gives no further turns. Nor does a further IPv6 network:
 * one customer may have 65,536 of them, so those of a /48 share its turns.
 */
export function sharerOf({ address, user }: Caller): Sharer {
  const site = siteKey(address);
  const within = user ? [`user:${user.userId}`] : [];
  return site === undefined
    ? [`address:${address}`, ...within]
    : [`address:${site}`, `address:${address}`, ...within];
}
