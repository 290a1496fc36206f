import { isPending, type Identity } from '../tokens/identity.ts';

/** Identifies the caller of a request, or throws or rejects with an {@link AccessError}. */
export type Admit<Incoming extends object = object> = (request: Incoming) => Identity | Promise<Identity>;

/** The checks that let each request in. Beside the requests, which may be frozen or proxies. */
const admitted = new WeakMap<object, readonly Admit[]>();

/** Lets a request in by a check, and keeps the check for {@link recheck}. */
export function admitBy<Incoming extends object>(
  request: Incoming,
  admit: Admit<Incoming>,
): Identity | Promise<Identity> {
  const identity = admit(request);
  const before = admitted.get(request);
  if (before === undefined) admitted.set(request, [admit as Admit]);
  else if (!before.includes(admit as Admit)) admitted.set(request, [...before, admit as Admit]);
  return identity;
}

/**
 * Asks again whether a request may continue: rejects with an {@link AccessError} if its session, membership or role has
 * ended since it was let in, its token has expired, or revocations are too stale to write. Takes what was checked: a
 * request of `node:http`, Express, Fastify or Nest, a `Request`, or `Headers`.
 *
 * Call it when you have read a body that was still arriving when the request was let in, and in the course of a long one.
 * It is local, and costs as much as a look-up in a map.
 *
 * @example
 * for await (const batch of rowsOf(request)) {
 *   await recheck(request);
 *   await save(batch);
 * }
 */
export async function recheck(request: object): Promise<Identity> {
  const identity = recheckNow(request);
  if (identity !== undefined) return identity;
  throw new Error('This request was never let in: authenticate it, or protect its route.');
}

/** As {@link recheck}, without a promise where none is needed; undefined for a request that no check let in. */
export function recheckNow(request: object): Identity | Promise<Identity> | undefined {
  let identity: Identity | Promise<Identity> | undefined;
  for (const admit of admitted.get(request) ?? []) {
    identity =
      identity !== undefined && isPending(identity) ? identity.then(() => admit(request)) : admit(request);
  }
  return identity;
}
