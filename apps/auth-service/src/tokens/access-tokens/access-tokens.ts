import {
  authenticate,
  createVerifier,
  TokenError,
  type AuthenticationLevel,
  type Identity,
  type Role,
  type TokenErrorCode,
  type Verifier,
} from '@tenantry/jwt-verify';
import { bindingClaim } from '@tenantry/service/browser';
import type { JSONWebKeySet } from 'jose';
import { boundDevice, type BoundClient, type Ground } from '../../ground/index.ts';
import type { CsrfTokens } from '../csrf-tokens.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import { displayText } from './display-text.ts';
import { createTokenSigners } from './token-signer.plugin.ts';
import { userRequired } from './users-only.plugin.ts';

/** The input for a token's claims. */
interface TokenSubject {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string; readonly role: Role } | null;
  readonly session: {
    readonly id: string;
    /** Where it was started, and what it is bound to. */
    readonly client: BoundClient;
    /** How the user authenticated: RFC 8176. */
    readonly amr: readonly string[];
    /** How surely: NIST SP 800-63B-4. */
    readonly acr: AuthenticationLevel;
    readonly authenticatedAt: Date;
    readonly expiresAt: Date;
  };
  /** When reading the rest of this began: the time of issue, so that a change made since revokes the token. */
  readonly asOf: Date;
}

/** The input for the claims of a service account's token. */
interface ServiceTokenSubject {
  readonly accountId: string;
  readonly keyId: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: string;
  /** Permissions separated by blanks (RFC 8693, 4.2), or `*` for everything that the role may. */
  readonly scope: string;
  /** Of the key. */
  readonly expiresAt: Date;
  /** As of a {@link TokenSubject}. */
  readonly asOf: Date;
}

/** A signed access token of a service account. */
export interface ServiceToken {
  readonly token: string;
  /** ISO 8601 text. */
  readonly tokenExpiresAt: string;
}

/** A signed access token. */
export interface AccessToken {
  readonly token: string;
  readonly tokenExpiresAt: Date;
  /** The session's CSRF token, whose digest is in the token. */
  readonly csrfToken: string;
}

/** What is read of a request. */
interface BearerRequest {
  readonly headers: { readonly authorization?: string | undefined };
}

/** The claims that differ from token to token. */
interface TokenClaims {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
  readonly [claim: string]: unknown;
}

interface AccessTokensDependencies extends Pick<Ground, 'config' | 'now'> {
  readonly signingKeys: SigningKeys;
  readonly csrfTokens: Pick<CsrfTokens, 'current'>;
}

const audience = 'tenantry';
const lifetimeSeconds = 15 * 60;
/** With an e-mail address of 254 characters and these two, a token stays under 1.5 KiB. */
const displayBytesMax = 160;

/** Issues access tokens (ES256, RFC 9068), and verifies presented ones. */
export class AccessTokens {
  readonly #dependencies: AccessTokensDependencies;
  readonly #signerOf = createTokenSigners();
  #verifying: { readonly jwks: JSONWebKeySet; readonly verifier: Verifier } | undefined;

  constructor(dependencies: AccessTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /** Issues an access token for a subject, which outlives neither the session nor `tokensUntil`, if that is not null. */
  async issue<Subject extends TokenSubject>(
    subject: Subject,
    { tokensUntil }: { readonly tokensUntil: Date | null },
  ): Promise<Subject & AccessToken> {
    const { config, csrfTokens } = this.#dependencies;
    const issuedAt = secondsOf(subject.asOf);
    const { id, client, expiresAt: sessionExpiresAt } = subject.session;
    const ends = [sessionExpiresAt, ...(tokensUntil === null ? [] : [tokensUntil])];
    const expiresAt = Math.min(issuedAt + lifetimeSeconds, ...ends.map(secondsOf));
    const { ipAddress, otherIpAddress } = client;
    const addresses = otherIpAddress === null ? [ipAddress] : [ipAddress, otherIpAddress];
    const party = { sessionId: id, device: boundDevice(client), addresses };
    const csrf = csrfTokens.current(id);
    const token = await this.#sign({
      ...claimsOf(subject),
      bnd: bindingClaim(party, config.SESSION_BINDING),
      csh: csrf.digest,
      sub: subject.user.id,
      iat: issuedAt,
      exp: expiresAt,
    });
    return { ...subject, token, tokenExpiresAt: new Date(expiresAt * 1_000), csrfToken: csrf.token };
  }

  /**
   * Issues an access token for a service account, which does not outlive the key. Its role is in no table of permissions, so that
   * verifiers that know no service accounts grant it nothing.
   */
  async issueToService(subject: ServiceTokenSubject): Promise<ServiceToken> {
    const { accountId, keyId, name, organizationId, organizationName, role, scope } = subject;
    const issuedAt = secondsOf(subject.asOf);
    const expiresAt = Math.min(issuedAt + lifetimeSeconds, secondsOf(subject.expiresAt));
    const token = await this.#sign({
      kind: 'service',
      email: '',
      name: displayText(name, displayBytesMax),
      organizationId,
      organizationName: displayText(organizationName, displayBytesMax),
      role: 'scoped',
      base: role,
      scope,
      sid: keyId,
      amr: [],
      sub: accountId,
      iat: issuedAt,
      exp: expiresAt,
    });
    return { token, tokenExpiresAt: new Date(expiresAt * 1_000).toISOString() };
  }

  /**
   * The identity of a request's bearer token, verified as in any other service.
   *
   * @throws UNAUTHENTICATED; USER_REQUIRED for the token of a service account
   */
  async authenticate(request: BearerRequest): Promise<Identity> {
    const verifier = await this.#currentVerifier();
    try {
      return userIn(await authenticate(verifier, request));
    } catch (error) {
      if (!isRefused(error, 'TOKEN_KEY_UNKNOWN')) throw error;
      await this.#dependencies.signingKeys.seek();
      const informed = await this.#currentVerifier();
      if (informed === verifier) throw error;
      return userIn(await authenticate(informed, request));
    }
  }

  /** As `authenticate`, also for a token that has expired but is otherwise valid: enough to end its session, and for nothing else. */
  async authenticateLate(request: BearerRequest): Promise<Identity> {
    try {
      return await this.authenticate(request);
    } catch (error) {
      if (!isRefused(error, 'TOKEN_EXPIRED')) throw error;
      // Only after a valid signature. Other checks use the token's own expiry as the current time.
      const lastMoment = (expiryIn(request) - 1) * 1_000;
      const jwks = await this.#dependencies.signingKeys.publicKeys();
      const verifier = this.#verifierOf(jwks, () => lastMoment);
      return userIn(await authenticate(verifier, request));
    }
  }

  async #sign(claims: TokenClaims): Promise<string> {
    const { config, signingKeys } = this.#dependencies;
    const sign = await this.#signerOf(await signingKeys.signer());
    return sign({ ...claims, iss: config.AUTH_URL, aud: audience });
  }

  /** Sessions are stored in this service: their end is looked up, not read from the feed. */
  #verifierOf(jwks: JSONWebKeySet, clock: () => number): Verifier {
    const { AUTH_URL: issuer } = this.#dependencies.config;
    return createVerifier({ issuer, audience, jwks, revocations: false, clock });
  }

  /** The verifier of the current keys: it caches no tokens of a withdrawn key. */
  async #currentVerifier(): Promise<Verifier> {
    const { signingKeys, now } = this.#dependencies;
    const jwks = await signingKeys.publicKeys();
    if (this.#verifying?.jwks !== jwks) {
      this.#verifying = { jwks, verifier: this.#verifierOf(jwks, () => now().getTime()) };
    }
    return this.#verifying.verifier;
  }
}

function userIn(identity: Identity): Identity {
  if (identity.kind === 'service') throw userRequired();
  return identity;
}

function isRefused(error: unknown, code: TokenErrorCode): boolean {
  const { cause } = error as Error;
  return cause instanceof TokenError && cause.code === code;
}

/** The expiry of a token that was verified before, in seconds since the epoch. */
function expiryIn({ headers }: BearerRequest): number {
  const [, payload = ''] = headers.authorization?.split('.') ?? [];
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number };
  return exp;
}

function claimsOf({ user, organization, session }: TokenSubject) {
  return {
    email: user.email,
    name: displayText(user.name, displayBytesMax),
    organizationId: organization?.id ?? null,
    organizationName: organization ? displayText(organization.name, displayBytesMax) : null,
    role: organization?.role ?? null,
    sid: session.id,
    amr: session.amr,
    acr: session.acr,
    auth_time: secondsOf(session.authenticatedAt),
  };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
