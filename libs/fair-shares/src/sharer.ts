/**
 * The owner of work, from the outside in: first keys take turns, and within one of them its second keys. Work with fewer keys
 * than its neighbors counts as one of them.
 */
export type Sharer = readonly [string, ...string[]];

/** What is known of a caller. */
export interface Asking {
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  /** The client address as `addressKey` of libs/service gives it: an IPv6 address by its /64. */
  readonly address?: string | undefined;
  /** The subject of a signed-out request, such as the account of a sign-in. */
  readonly account?: string | undefined;
  /** Work that belongs to no organization and no user, such as health checks: it is one sharer, and within it each address. */
  readonly work?: string;
}

/**
 * Identifies a sharer as precisely as possible: by organization and, within it, the user or the address of a guest; without an
 * organization by the signed-in user; without a user by the client address and, within it, the account that it asks about. An
 * address is one sharer, however many accounts it tries.
 *
 * @example
 * sharerOf({ organizationId, userId }) // ['organization:0190…', 'user:0190…']
 */
export function sharerOf({ organizationId, userId, address = '', account, work }: Asking): Sharer {
  if (work !== undefined) return address === '' ? [work] : [work, `address:${address}`];
  const inner = userId === undefined ? `address:${address}` : `user:${userId}`;
  if (organizationId !== undefined) {
    const isNamed = userId !== undefined || address !== '';
    return isNamed ? [`organization:${organizationId}`, inner] : [`organization:${organizationId}`];
  }
  return userId === undefined && account !== undefined ? [inner, `account:${account}`] : [inner];
}
