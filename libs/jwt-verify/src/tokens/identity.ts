import { TokenError } from './errors.ts';
import { parseScope, scopedRole, type Scope } from './scope.ts';

/** The claims of a token by name, nested objects included read-only. */
export type Claims = Readonly<Record<string, unknown>>;

/** The authentication level: `aal1` for one factor, `aal2` for two, or for one that counts as two. */
export type AuthenticationLevel = 'aal1' | 'aal2';

/** Who calls: a user who signed in, or a program with a key of a service account. */
export type CallerKind = 'user' | 'service';

/** The caller, the active organization and the session of a verified access token. */
export interface Identity {
  /** A service account is no user: it has no e-mail address, and nobody confirms anything for it. */
  readonly kind: CallerKind;
  /** The user, or the service account. */
  readonly userId: string;
  /** As shown at sign-up; display text. Empty for a service account. */
  readonly email: string;
  /** Display text, possibly hostile: escape it. */
  readonly name: string;
  /** The active organization: restrict every query to it. Null when none is active. */
  readonly organizationId: string | null;
  /** Display text, possibly hostile: escape it. */
  readonly organizationName: string | null;
  /**
   * The role in the active organization, usually a {@link Role}; ask `can(identity, permission, table)`. Of a service account
   * it is `scoped`, which has no permission by itself.
   */
  readonly role: string | null;
  /** The role of a service account, of which it has what its {@link scope} names. Null for a user. */
  readonly baseRole: string | null;
  /** The permissions that a key is limited to, or `*` for all that its base role has. Null for a user. */
  readonly scope: readonly string[] | '*' | null;
  /** The session, or the key of a service account. */
  readonly sessionId: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** How the user authenticated (`amr`, RFC 8176), for example `['pwd', 'otp']`. */
  readonly factors: readonly string[];
  /**
   * How surely the user authenticated (`acr`, NIST SP 800-63B-4): `aal2` with a second factor or a passkey. Read of
   * `factors` where the token says none of the two: any factor but `pwd` is a second one there.
   */
  readonly level: AuthenticationLevel;
  /** When the user last authenticated (`auth_time`): the second factor where there is one. Seconds since the epoch. */
  readonly authenticatedAt: number | null;
  /** Digest of the device and address the session is bound to (`bnd`). */
  readonly binding: string | null;
  /** All claims of the token, unchanged, for claims of your own. Check their types. */
  readonly claims: Claims;
}

/** An {@link Identity} with an active organization, as `authorize` makes sure of. */
export interface Member extends Identity {
  /** The active organization: restrict every query to it. */
  readonly organizationId: string;
}

/**
 * Whether an identity is still awaited. Asked by its shape: edge runtimes give promises of another realm, which are no
 * `instanceof Promise`.
 */
export function isPending(identity: Identity | Promise<Identity>): identity is Promise<Identity> {
  return 'then' in identity;
}

/** What the claims of a token are compared with. */
export interface Expectation {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly nowSeconds: number;
}

/** Tolerance between two clocks. */
export const clockSkewSeconds = 5;

/** Access tokens are valid for at most 15 minutes. */
export const lifetimeSecondsMax = 900;

/** Turns the claims of a signed token into an {@link Identity}, or throws a {@link TokenError}. */
export function readIdentity(claims: Claims, expected: Expectation): Identity {
  if (claims['iss'] !== expected.issuer) throw invalidClaim('iss');
  if (!expected.audiences.includes(claims['aud'] as string)) throw invalidClaim('aud');
  const { issuedAt, expiresAt } = readLifetime(claims, expected.nowSeconds);
  const factors = readFactors(claims);
  const kind = readKind(claims);
  return Object.freeze({
    kind,
    userId: identifier(claims, 'sub'),
    email: text(claims, 'email'),
    name: text(claims, 'name'),
    organizationId: has(claims, 'organizationId') ? identifier(claims, 'organizationId') : null,
    organizationName: has(claims, 'organizationName') ? text(claims, 'organizationName') : null,
    role: readRole(claims, kind),
    baseRole: kind === 'service' ? readBaseRole(claims) : null,
    scope: kind === 'service' ? readScope(claims) : null,
    sessionId: identifier(claims, 'sid'),
    issuedAt,
    expiresAt,
    factors,
    level: readLevel(claims, factors),
    authenticatedAt: has(claims, 'auth_time') ? seconds(claims, 'auth_time') : null,
    binding: has(claims, 'bnd') ? identifier(claims, 'bnd') : null,
    claims: frozen(claims),
  });
}

/** Whether the token has expired is not asked here: the verifier asks at every use, this first one included. */
function readLifetime(claims: Claims, nowSeconds: number): { issuedAt: number; expiresAt: number } {
  const issuedAt = seconds(claims, 'iat');
  const expiresAt = seconds(claims, 'exp');
  if (expiresAt <= issuedAt || expiresAt - issuedAt > lifetimeSecondsMax) throw invalidClaim('exp');
  const notBefore = has(claims, 'nbf') ? Math.max(issuedAt, seconds(claims, 'nbf')) : issuedAt;
  if (notBefore > nowSeconds + clockSkewSeconds) throw new TokenError('TOKEN_NOT_YET_VALID');
  return { issuedAt, expiresAt };
}

/** Tokens of users need not say so. */
function readKind(claims: Claims): CallerKind {
  if (!has(claims, 'kind')) return 'user';
  const { kind } = claims;
  if (kind === 'user' || kind === 'service') return kind;
  throw invalidClaim('kind');
}

function readRole(claims: Claims, kind: CallerKind): string | null {
  const role = has(claims, 'role') ? identifier(claims, 'role') : null;
  // With any other, whoever asks for the role alone would take the key for a user.
  if (kind === 'service' && role !== scopedRole) throw invalidClaim('role');
  return role;
}

/** No key speaks for an owner. */
function readBaseRole(claims: Claims): string {
  const role = identifier(claims, 'base');
  if (role === 'owner') throw invalidClaim('base');
  return role;
}

function readScope(claims: Claims): Scope {
  const scope = parseScope(text(claims, 'scope'));
  if (scope === undefined) throw invalidClaim('scope');
  return scope;
}

function readFactors(claims: Claims): readonly string[] {
  const factors = has(claims, 'amr') ? claims['amr'] : [];
  if (!Array.isArray(factors) || !factors.every((factor) => typeof factor === 'string')) {
    throw invalidClaim('amr');
  }
  return Object.freeze([...factors]);
}

/** Another issuer's levels are no answer to this question. */
function readLevel(claims: Claims, factors: readonly string[]): AuthenticationLevel {
  const level = has(claims, 'acr') ? text(claims, 'acr') : null;
  if (level === 'aal1' || level === 'aal2') return level;
  return factors.some((factor) => factor !== 'pwd') ? 'aal2' : 'aal1';
}

/** Absent and null mean the same: the token says nothing of it. */
function has(claims: Claims, name: string): boolean {
  return claims[name] !== undefined && claims[name] !== null;
}

function text(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== 'string') throw invalidClaim(name);
  return value;
}

function identifier(claims: Claims, name: string): string {
  const value = text(claims, name);
  if (value === '') throw invalidClaim(name);
  return value;
}

/** A whole, exact number of seconds: `1e400` reads as infinity and would never expire. */
function seconds(claims: Claims, name: string): number {
  const value = claims[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw invalidClaim(name);
  return value;
}

/** An identity is shared by all requests that show its token: none may change what the others read. */
function frozen<Value extends object>(value: Value): Value {
  for (const child of Object.values(value) as unknown[]) {
    if (typeof child === 'object' && child !== null) frozen(child);
  }
  return Object.freeze(value);
}

function invalidClaim(claim: string): TokenError {
  return new TokenError('TOKEN_CLAIM_INVALID', { claim });
}
