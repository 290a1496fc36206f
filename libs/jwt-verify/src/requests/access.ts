import { AccessError, TokenError } from '../tokens/errors.ts';
import { clockSkewSeconds, isPending, type Identity, type Member } from '../tokens/identity.ts';
import { isGranted, type Named, type Permissions } from '../tokens/permissions.ts';
import type { Verifier } from '../verifier/verifier.ts';
import { admitBy, type Admit } from './recheck.ts';

/** The part of a request that is read: it fits those of node:http, Express and Fastify, and the `Request` of the web. */
export interface BearerRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly authorization?: string | undefined } | { get(name: string): string | null };
}

/**
 * Whether a request may continue although revocations have not been updated for `staleMs` milliseconds (Infinity: never).
 * `method` is the HTTP method.
 */
export type StalePolicy = (staleMs: number, method: string) => boolean;

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const writesStaleMsMax = 30_000;

/** The default: reads continue, everything else stops when the feed is 30 s old. */
export const readsGoOn: StalePolicy = (staleMs, method) =>
  staleMs <= writesStaleMsMax || safeMethods.has(method);

/** Options of {@link authenticate}. */
export interface AuthenticateOptions {
  /** Default: {@link readsGoOn}. */
  readonly onStale?: StalePolicy | undefined;
}

/**
 * Says who sends a request, by its `Authorization: Bearer` header, or rejects with an {@link AccessError}.
 *
 * @example const identity = await authenticate(verifier, request);
 */
export async function authenticate(
  verifier: Verifier,
  request: BearerRequest,
  options: AuthenticateOptions = {},
): Promise<Identity> {
  return admitBy(request, authenticating(verifier, options.onStale ?? readsGoOn));
}

const authenticatings = new WeakMap<Verifier, WeakMap<StalePolicy, Admit<BearerRequest>>>();

/** The same function for the same arguments, so that authenticating a request twice keeps one check of it. */
function authenticating(verifier: Verifier, mayGoOn: StalePolicy): Admit<BearerRequest> {
  const known = authenticatings.get(verifier) ?? new WeakMap<StalePolicy, Admit<BearerRequest>>();
  const admit = known.get(mayGoOn) ?? ((request) => authenticateNow(verifier, request, mayGoOn));
  authenticatings.set(verifier, known.set(mayGoOn, admit));
  return admit;
}

/** As {@link authenticate}, without a promise where none is needed. */
export function authenticateNow(
  verifier: Verifier,
  request: BearerRequest,
  mayGoOn: StalePolicy,
): Identity | Promise<Identity> {
  const token = bearerToken(authorizationOf(request));
  // Checked last: a verifier without background work updates revocations while it verifies.
  const admit = (identity: Identity): Identity => {
    if (mayGoOn(verifier.revocations.staleMs, request.method ?? '')) return identity;
    throw AccessError.ofToken(new TokenError('REVOCATIONS_UNAVAILABLE'));
  };
  try {
    const identity = verifier.verifyNow(token);
    return isPending(identity) ? identity.then(admit).catch(refuse) : admit(identity);
  } catch (error) {
    return refuse(error);
  }
}

/**
 * Throws a 403 {@link AccessError} unless the identity has an active organization, and in it this permission, by your
 * table or rule. Afterwards `organizationId` is known not to be null.
 *
 * @example authorize(identity, 'invoices:read', { owner: ['invoices:read'], member: ['invoices:read'] });
 */
export function authorize<Name extends string>(
  identity: Identity,
  permission: NoInfer<Name>,
  by: Permissions<Name> & Named<Name>,
): asserts identity is Member {
  authorizeBy(identity, permission, by as Permissions<string>);
}

/** As {@link authorize}, for a permission that has been looked at already. */
export function authorizeBy(
  identity: Identity,
  permission: string,
  by: Permissions<string>,
): asserts identity is Member {
  assertMember(identity);
  if (!isGranted(identity, permission, by)) throw AccessError.forbidden(permission, holderIn(identity));
}

const holderIn = ({ kind }: Identity): string => (kind === 'user' ? 'your role' : 'this key');

/** Throws a 403 {@link AccessError} unless the identity has an active organization. */
export function assertMember(identity: Identity): asserts identity is Member {
  assertIdentity(identity);
  if (identity.organizationId === null) throw AccessError.noActiveOrganization();
}

/**
 * Throws a 403 {@link AccessError} unless the active organization is this one: for an organization that a path or a
 * body names. What is read and written then still goes by the token.
 *
 * @example requireOrganization(memberOf(request), request.params.organizationId);
 */
export function requireOrganization(identity: Identity, organizationId: string): asserts identity is Member {
  assertMember(identity);
  if (identity.organizationId !== organizationId) throw AccessError.otherOrganization();
}

/**
 * Throws a 403 {@link AccessError} for the key of a service account: for what only a user can do, on a route that requires
 * no permission.
 *
 * @example requireUser(identity);
 */
export function requireUser(identity: Identity): void {
  assertIdentity(identity);
  if (identity.kind !== 'user') throw AccessError.userRequired();
}

/** Options of {@link requireRecentFactor}. */
export interface RecentFactor {
  readonly maxAgeSeconds: number;
  /**
   * What counts for a user without a second factor: `password` (default), that the user signed in as
   * recently; `role`, nothing more than the role, for the administration of others.
   */
  readonly withoutSecondFactor?: 'password' | 'role';
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Throws a 401 {@link AccessError} with the challenge of RFC 9470 unless the user authenticated recently, and a 403 one
 * for the key of a service account, which no sign-in helps.
 *
 * The token alone decides. A user with a second factor signs in with it, so a token of `aal1` belongs to a user without
 * one, whatever its `amr`; `auth_time` is the moment of the strongest factor.
 *
 * @example requireRecentFactor(identity, { maxAgeSeconds: 300 });
 */
export function requireRecentFactor(identity: Identity, required: RecentFactor): void {
  requireUser(identity);
  const { maxAgeSeconds, withoutSecondFactor = 'password', clock = Date.now } = required;
  const hasSecondFactor = identity.level === 'aal2';
  if (!hasSecondFactor && withoutSecondFactor === 'role') return;
  const ageSeconds = clock() / 1000 - (identity.authenticatedAt ?? -Infinity);
  // What lies ahead would never grow old.
  if (ageSeconds >= -clockSkewSeconds && ageSeconds <= maxAgeSeconds) return;
  throw AccessError.staleAuthentication(
    maxAgeSeconds,
    hasSecondFactor ? 'SECOND_FACTOR_REQUIRED' : 'SIGN_IN_REQUIRED',
  );
}

/** JavaScript callers may pass anything, most likely a promise that they did not await. */
function assertIdentity(value: unknown): asserts value is Identity {
  if (typeof value === 'object' && value !== null && 'sessionId' in value) return;
  const isPromise = typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
  throw new TypeError(
    isPromise
      ? 'This is a promise of an identity: await authenticate() first.'
      : 'This is no identity: pass what authenticate() or verify() gave.',
  );
}

function authorizationOf({ headers }: BearerRequest): string | null | undefined {
  // A client may send a header named "get": then it is text.
  if ('get' in headers && typeof headers.get === 'function') return headers.get('authorization');
  return (headers as { readonly authorization?: string | undefined }).authorization;
}

/** The token of an `Authorization` header (RFC 6750 section 2.1), or throws that a sign-in is needed. */
function bearerToken(authorization: string | null | undefined): string {
  if (authorization === undefined || authorization === null) throw AccessError.signInRequired();
  if (authorization.startsWith('Bearer ')) return authorization.slice(7);
  // The name of a scheme is not case-sensitive (RFC 9110 section 11.1).
  if (authorization.slice(0, 7).toLowerCase() === 'bearer ') return authorization.slice(7);
  throw AccessError.signInRequired();
}

function refuse(error: unknown): never {
  throw error instanceof TokenError ? AccessError.ofToken(error) : error;
}
