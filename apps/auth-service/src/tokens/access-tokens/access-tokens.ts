import {
  authenticate,
  createVerifier,
  TokenError,
  type Identity,
  type Role,
  type Verifier,
} from '@tenantry/jwt-verify';
import { bindingDigest, type SessionBinding } from '@tenantry/service-kit';
import type { JSONWebKeySet } from 'jose';
import { boundDevice } from '../../ground/callers/client.ts';
import type { CsrfTokens } from '../csrf-tokens.ts';
import type { Session } from '../../sessions/session.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import { displayText } from './display-text.ts';
import { createTokenSigners } from './token-signer.plugin.ts';

/** What the claims of a token are made of. */
export interface TokenSubject {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string; readonly role: Role } | null;
  readonly session: Pick<Session, 'id' | 'client' | 'factors' | 'authenticatedAt' | 'expiresAt'>;
  /** When the rest of this began to be read. */
  readonly asOf: Date;
  /** Tokens issued before are revoked; null when none are. */
  readonly tokensFrom: Date | null;
}

/** A signed access token and its end. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Minting access tokens, and reading those that come back. */
export interface Tokens {
  mint(subject: TokenSubject): Promise<AccessToken>;
  /** Says whose bearer token a request carries, as any other service would find it out. */
  authenticate(request: { headers: { authorization?: string | undefined } }): Promise<Identity>;
}

/** What minting needs. */
export interface TokensDependencies {
  readonly signingKeys: SigningKeys;
  readonly csrfTokens: Pick<CsrfTokens, 'digestFor'>;
  /** What a session, and with it each of its tokens, is bound to. */
  readonly binding: SessionBinding;
  /** AUTH_URL. */
  readonly issuer: string;
  readonly now: () => Date;
}

const audience = 'tenantry';
const lifetimeSeconds = 15 * 60;
/** With an e-mail address of 254 characters and these two, a token stays under 1.5 KiB. */
const displayBytesMax = 160;

/** Makes the minter of access tokens: ES256, RFC 9068. */
export function createTokens(dependencies: TokensDependencies): Tokens {
  const { signingKeys, csrfTokens, binding, issuer, now } = dependencies;
  const signerOf = createTokenSigners();
  let verifying: { readonly jwks: JSONWebKeySet; readonly verifier: Verifier } | undefined;

  /** The verifier of the keys of now: what was verified by a key that is withdrawn is not remembered. */
  const currentVerifier = async () => {
    const jwks = await signingKeys.publicKeys();
    if (verifying?.jwks !== jwks) {
      verifying = {
        jwks,
        // Sessions live here: whether one has ended is looked up, not heard.
        verifier: createVerifier({
          issuer,
          audience,
          jwks,
          revocations: false,
          clock: () => now().getTime(),
        }),
      };
    }
    return verifying.verifier;
  };

  return {
    async mint(subject) {
      const sign = await signerOf(await signingKeys.signer());
      const issuedAt = issuedAtOf(subject);
      // A token never outlives its session.
      const expiresAt = Math.min(issuedAt + lifetimeSeconds, secondsOf(subject.session.expiresAt));
      const { id, client } = subject.session;
      const token = sign({
        ...claimsOf(subject),
        bnd: bindingDigest(
          { sessionId: id, device: boundDevice(client), address: client.ipAddress },
          binding,
        ),
        csh: csrfTokens.digestFor(id),
        iss: issuer,
        aud: audience,
        sub: subject.user.id,
        iat: issuedAt,
        exp: expiresAt,
      });
      return { token, expiresAt: new Date(expiresAt * 1_000) };
    },

    async authenticate(request) {
      const verifier = await currentVerifier();
      try {
        return await authenticate(verifier, request);
      } catch (error) {
        if (!isUnknownKey(error)) throw error;
        await signingKeys.seek();
        const informed = await currentVerifier();
        if (informed === verifier) throw error;
        return authenticate(informed, request);
      }
    },
  };
}

function isUnknownKey(error: unknown): boolean {
  const { cause } = error as Error;
  return cause instanceof TokenError && cause.code === 'TOKEN_KEY_UNKNOWN';
}

function claimsOf({ user, organization, session }: TokenSubject) {
  return {
    email: user.email,
    name: displayText(user.name, displayBytesMax),
    organizationId: organization?.id ?? null,
    organizationName: organization ? displayText(organization.name, displayBytesMax) : null,
    role: organization?.role ?? null,
    sid: session.id,
    amr: session.factors,
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
