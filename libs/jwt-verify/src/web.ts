import { assertMember, type BearerRequest, type RecentFactor } from './requests/access.ts';
import { AccessError } from './tokens/errors.ts';
import { admitBy, recheck } from './requests/recheck.ts';
import { createGuard, type AccessOptions, type Check } from './requests/guard.ts';
import type { Identity, Member } from './tokens/identity.ts';
import type { Verifier } from './verifier/verifier.ts';

/** What carries a bearer token: a request, or its headers alone, which count as those of a write. */
export type Bearer = Request | Headers;

/** What handles a request that was let in; further arguments, such as a context, are passed through. */
export type Handler<Incoming extends Request, Rest extends readonly unknown[]> = (
  request: Incoming,
  identity: Identity,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * What {@link jwtAccess} makes: checks that give the caller or reject with an {@link AccessError}. A `Request` that they let in
 * asks again when its body is read by `json()`, `text()` and their kind, which then reject as well; if you read `request.body`
 * yourself, call {@link recheck}.
 */
export interface Access<Name extends string = never> {
  /** Wraps a handler: it is called for valid tokens alone, and every refusal is answered. */
  readonly protect: <Incoming extends Request, Rest extends readonly unknown[]>(
    handler: Handler<Incoming, Rest>,
  ) => (request: Incoming, ...rest: Rest) => Promise<Response>;
  /** Gives the caller, anyone with a valid token. */
  readonly signedIn: (bearer: Bearer) => Promise<Identity>;
  /** A check for this permission in the active organization; throws at once when no permission is named so. */
  readonly requires: (permission: Name) => (bearer: Bearer) => Promise<Member>;
  /** Gives the caller, a user: a check that no key of a service account passes. */
  readonly requiresUser: (bearer: Bearer) => Promise<Identity>;
  /** A check for a recent authentication (RFC 9470). */
  readonly requiresRecentFactor: (required: RecentFactor) => (bearer: Bearer) => Promise<Identity>;
}

/**
 * Checks the `Request` or `Headers` of the web with a verifier: Hono, Next.js, Deno, Workers.
 *
 * @example
 * const access = jwtAccess(verifier, { permissions: { owner: ['invoices:read'], member: ['invoices:read'] } });
 * const readsInvoices = access.requires('invoices:read');
 * export default {
 *   fetch: access.protect(async (request) => {
 *     const { organizationId } = await readsInvoices(request);
 *     return Response.json(await invoicesOf(organizationId));
 *   }),
 * };
 */
export function jwtAccess<Name extends string = never>(
  verifier: Verifier,
  options: AccessOptions<Name> = {},
): Access<Name> {
  const guard = createGuard(verifier, options);
  const checking = (check: Check) => {
    const admit = guard.admitting(check);
    const admitBearer = (bearer: Bearer) => admit(requestOf(bearer));
    return async (bearer: Bearer): Promise<Identity> => {
      const identity = await admitBy(bearer, admitBearer);
      recheckWhenWhole(bearer);
      return identity;
    };
  };
  const signedIn = checking(() => undefined);
  return {
    protect:
      (handler) =>
      async (request, ...rest) => {
        try {
          return await handler(request, await signedIn(request), ...rest);
        } catch (error) {
          return refusal(error);
        }
      },
    signedIn,
    requires(permission) {
      const admit = checking(guard.permission(permission));
      return async (bearer) => {
        const identity = await admit(bearer);
        assertMember(identity);
        return identity;
      };
    },
    requiresUser: checking(guard.user),
    requiresRecentFactor: (required) => checking(guard.recentFactor(required)),
  };
}

/** The response to an {@link AccessError}, `{ code, message, reason? }`; throws every other error on. */
export function refusal(error: unknown): Response {
  if (!(error instanceof AccessError)) throw error;
  return Response.json(error, { status: error.statusCode, headers: { ...error.headers } });
}

/** What gives the whole body of a request. */
const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;
const rechecked = new WeakSet<Bearer>();

/** Has a request ask again when it gives its body, which may become whole long after its headers have arrived. */
function recheckWhenWhole(bearer: Bearer): void {
  if (!('headers' in bearer) || rechecked.has(bearer) || !Object.isExtensible(bearer)) return;
  if (bearer.method === 'GET' || bearer.method === 'HEAD') return;
  rechecked.add(bearer);
  for (const name of readers) {
    // Node.js 20 has no `bytes`.
    const read = bearer[name] as (() => Promise<unknown>) | undefined;
    const value = async (): Promise<unknown> => {
      const body = await read?.call(bearer);
      await recheck(bearer);
      return body;
    };
    if (read !== undefined)
      Object.defineProperty(bearer, name, { value, configurable: true, writable: true });
  }
}

function requestOf(bearer: Bearer): BearerRequest {
  return 'headers' in bearer ? bearer : { headers: bearer };
}

export type { AccessOptions } from './requests/guard.ts';
export { recheck };
