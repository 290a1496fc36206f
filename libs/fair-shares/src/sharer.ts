/**
 * Whose work it is, from the outside in: those of the first key take turns with each other, and within one of them those of
 * the second. Work that names fewer keys than its neighbors counts as one of them.
 */
export type Sharer = readonly [string, ...string[]];

/** What is known of who asks. */
export interface Asking {
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  /** The client address as `addressKey` of service-kit gives it: an IPv6 address by its /64. */
  readonly address?: string | undefined;
  /** What a signed-out request of an address concerns, such as the account of a sign-in. */
  readonly account?: string | undefined;
  /** Work that belongs to no organization and no user, such as health checks: it is one sharer, and within it each address. */
  readonly work?: string;
}

/**
 * Names a sharer by the most that is known of it: its organization and in it the user, or the address of a guest; before one is
 * known the signed-in user, before that the client address and in it the account that it asks about. However many accounts an
 * address tries, it is one sharer.
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
