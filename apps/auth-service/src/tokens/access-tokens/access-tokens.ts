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
import { bindingClaim } from '@tenantry/service-kit/browser';
import type { JSONWebKeySet } from 'jose';
import { boundDevice, type BoundClient, type Ground } from '../../ground/index.ts';
import type { CsrfTokens } from '../csrf-tokens.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import { displayText } from './display-text.ts';
import { createTokenSigners } from './token-signer.plugin.ts';

/** What the claims of a token are made of. */
export interface TokenSubject {
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
  /** When the rest of this began to be read. */
  readonly asOf: Date;
  /** Tokens issued before are revoked; null when none are. */
  readonly tokensFrom: Date | null;
}

/** How long a token may live, beside what its session says. */
export interface TokenTerm {
  /** Null where the end of the session is the only one. */
  readonly tokensUntil: Date | null;
}

/** A signed access token. */
export interface AccessToken {
  readonly token: string;
  readonly tokenExpiresAt: Date;
  /** Of the session, as the token names it by digest. */
  readonly csrfToken: string;
}

/** What is read of a request. */
interface BearerRequest {
  readonly headers: { readonly authorization?: string | undefined };
}

/** Dependencies of {@link AccessTokens}. */
export interface AccessTokensDependencies extends Pick<Ground, 'config' | 'now'> {
  readonly signingKeys: SigningKeys;
  readonly csrfTokens: Pick<CsrfTokens, 'current'>;
}

const audience = 'tenantry';
const lifetimeSeconds = 15 * 60;
/** With an e-mail address of 254 characters and these two, a token stays under 1.5 KiB. */
const displayBytesMax = 160;

/** Issuing access tokens (ES256, RFC 9068), and reading those that come back. */
export class AccessTokens {
  readonly #dependencies: AccessTokensDependencies;
  readonly #signerOf = createTokenSigners();
  #verifying: { readonly jwks: JSONWebKeySet; readonly verifier: Verifier } | undefined;

  constructor(dependencies: AccessTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /** Gives a subject its access token, which outlives neither the session nor `tokensUntil`. */
  async issue<Subject extends TokenSubject>(
    subject: Subject,
    { tokensUntil }: TokenTerm,
  ): Promise<Subject & AccessToken> {
    const { config, signingKeys, csrfTokens } = this.#dependencies;
    const sign = await this.#signerOf(await signingKeys.signer());
    const issuedAt = issuedAtOf(subject);
    const { id, client, expiresAt: sessionExpiresAt } = subject.session;
    const ends = [sessionExpiresAt, ...(tokensUntil === null ? [] : [tokensUntil])];
    const expiresAt = Math.min(issuedAt + lifetimeSeconds, ...ends.map(secondsOf));
    const { ipAddress, otherIpAddress } = client;
    const addresses = otherIpAddress === null ? [ipAddress] : [ipAddress, otherIpAddress];
    const party = { sessionId: id, device: boundDevice(client), addresses };
    const csrf = csrfTokens.current(id);
    const token = sign({
      ...claimsOf(subject),
      bnd: bindingClaim(party, config.SESSION_BINDING),
      csh: csrf.digest,
      iss: config.AUTH_URL,
      aud: audience,
      sub: subject.user.id,
      iat: issuedAt,
      exp: expiresAt,
    });
    return { ...subject, token, tokenExpiresAt: new Date(expiresAt * 1_000), csrfToken: csrf.token };
  }

  /** Whose bearer token a request carries, verified as any other service does it. */
  async authenticate(request: BearerRequest): Promise<Identity> {
    const verifier = await this.#currentVerifier();
    try {
      return await authenticate(verifier, request);
    } catch (error) {
      if (!isRefused(error, 'TOKEN_KEY_UNKNOWN')) throw error;
      await this.#dependencies.signingKeys.seek();
      const informed = await this.#currentVerifier();
      if (informed === verifier) throw error;
      return authenticate(informed, request);
    }
  }

  /** As `authenticate`, also for a token that has expired but is otherwise valid: enough to end its session, and for nothing else. */
  async authenticateLate(request: BearerRequest): Promise<Identity> {
    try {
      return await this.authenticate(request);
    } catch (error) {
      if (!isRefused(error, 'TOKEN_EXPIRED')) throw error;
      // Said of a good signature alone. Everything else is held against the token's own last moment.
      const lastMoment = (expiryIn(request) - 1) * 1_000;
      const jwks = await this.#dependencies.signingKeys.publicKeys();
      const verifier = this.#verifierOf(jwks, () => lastMoment);
      return authenticate(verifier, request);
    }
  }

  /** Sessions live here: whether one has ended is looked up, not heard. */
  #verifierOf(jwks: JSONWebKeySet, clock: () => number): Verifier {
    const { AUTH_URL: issuer } = this.#dependencies.config;
    return createVerifier({ issuer, audience, jwks, revocations: false, clock });
  }

  /** The verifier of the current keys: it remembers nothing that a withdrawn key has verified. */
  async #currentVerifier(): Promise<Verifier> {
    const { signingKeys, now } = this.#dependencies;
    const jwks = await signingKeys.publicKeys();
    if (this.#verifying?.jwks !== jwks) {
      this.#verifying = { jwks, verifier: this.#verifierOf(jwks, () => now().getTime()) };
    }
    return this.#verifying.verifier;
  }
}

function isRefused(error: unknown, code: TokenErrorCode): boolean {
  const { cause } = error as Error;
  return cause instanceof TokenError && cause.code === code;
}

/** What a token that was verified before says of its end, in seconds since the epoch. */
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

/**
 * When the token is issued: as its subject began to be read, so that a change made meanwhile revokes it; and never
 * before the tokens of after a change begin, which may be up to two seconds ahead (verifiers allow for five).
 */
function issuedAtOf({ asOf, tokensFrom }: Pick<TokenSubject, 'asOf' | 'tokensFrom'>): number {
  return Math.max(secondsOf(asOf), tokensFrom === null ? 0 : secondsOf(tokensFrom));
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
