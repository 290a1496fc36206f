import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import { clockSkewSeconds, lifetimeSecondsMax, type CallerKind } from './tokens/identity.ts';
import { algorithm } from './tokens/jws.ts';
import type { Revocation } from './issuer/revocations.ts';
import { TestIssuerServer } from './testing/testing-server.ts';
import type { CommonOptions, IssuerOptions } from './issuer/options.ts';
import type { Role } from './tokens/permissions.ts';
import { scopedRole } from './tokens/scope.ts';
import { readSettings } from './issuer/settings.ts';
import { LocalVerifier, type Verifier } from './verifier/verifier.ts';

/**
 * Claims of a token: `undefined` leaves one out, and times are seconds since the epoch. Declare the claims of your own
 * to it, or cast what no issuer would sign.
 *
 * @example
 * declare module '@tenantry/jwt-verify/testing' {
 *   interface TestClaims {
 *     readonly department?: string;
 *   }
 * }
 */
export interface TestClaims {
  readonly iss?: string | undefined;
  readonly aud?: string | undefined;
  readonly sub?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  /** Null: none is active. */
  readonly organizationId?: string | null | undefined;
  readonly organizationName?: string | null | undefined;
  readonly role?: Role | typeof scopedRole | null | undefined;
  readonly kind?: CallerKind | null | undefined;
  /** The role of a service account. */
  readonly base?: string | undefined;
  /** Permissions of a service account, separated by blanks, or `*`. */
  readonly scope?: string | undefined;
  readonly sid?: string | undefined;
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
  readonly nbf?: number | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly acr?: string | null | undefined;
  readonly auth_time?: number | null | undefined;
  readonly bnd?: string | null | undefined;
}

/** Options of a {@link TestIssuer}. */
export interface TestIssuerOptions {
  /** The `iss` of its tokens. Default: `https://auth.test/api/auth`, or the address of its server. */
  readonly issuer?: string;
  /** Serve `<issuer>/jwks` and the revocation feed over HTTP on 127.0.0.1. Default: false. */
  readonly server?: boolean;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** One ES256 key pair of a {@link TestIssuer}. */
interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK & { readonly kid: string };
}

/**
 * Makes an issuer of access tokens for tests: its own keys, tokens with any claims, and, with
 * `server: true`, a real HTTP server that publishes keys and revocations and can go away.
 *
 * @example
 * const issuer = await createTestIssuer();
 * const app = buildApp({ verifier: issuer.verifier() });
 * const token = await issuer.token({ organizationId, role: 'admin' });
 */
export async function createTestIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const key = await createSigningKey();
  const server =
    options.server === true ? await TestIssuerServer.start({ keys: [key.jwk] }, options.clock) : undefined;
  return new TestIssuer(key, server, options);
}

/** An issuer of access tokens for tests; see {@link createTestIssuer}. */
export class TestIssuer {
  /** The `iss` of its tokens. */
  readonly issuer: string;
  /** The `aud` of its tokens. */
  readonly audience = 'tenantry';
  /** Its HTTP server, when there is one. */
  readonly server: TestIssuerServer | undefined;
  readonly #clock: () => number;
  readonly #verifiers: LocalVerifier[] = [];
  readonly #revocations: Revocation[] = [];
  #published: SigningKey[];
  #signing: SigningKey;

  /** @internal */
  constructor(key: SigningKey, server: TestIssuerServer | undefined, options: TestIssuerOptions) {
    this.issuer = options.issuer ?? server?.issuer ?? 'https://auth.test/api/auth';
    this.server = server;
    this.#clock = options.clock ?? Date.now;
    this.#published = [key];
    this.#signing = key;
  }

  /** The JWK set as published now. */
  get jwks(): { readonly keys: JWK[] } {
    return { keys: this.#published.map(({ jwk }) => jwk) };
  }

  /** The key id new tokens are signed with. */
  get kid(): string {
    return this.#signing.jwk.kid;
  }

  /** Signs an access token: a member of a random organization unless the claims say otherwise. */
  async token(claims: TestClaims = {}, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const all = { ...this.#defaultClaims(), ...claims } as JWTPayload;
    const protectedHeader = { alg: algorithm, kid: this.kid, typ: 'at+jwt', ...header };
    return new SignJWT(all).setProtectedHeader(protectedHeader).sign(this.#signing.privateKey);
  }

  /** Signs the token of a service account: of a member with all that this role has, unless the claims say otherwise.
   *
   * @example const token = await issuer.serviceToken({ organizationId, base: 'admin', scope: 'invoices:read' });
   */
  async serviceToken(claims: TestClaims = {}): Promise<string> {
    return this.token({
      kind: 'service',
      role: scopedRole,
      base: 'member',
      scope: '*',
      name: 'Export',
      email: '',
      amr: [],
      auth_time: undefined,
      bnd: undefined,
      ...claims,
    });
  }

  /** Like {@link token}, but just expired. */
  async expiredToken(claims: TestClaims = {}): Promise<string> {
    const exp = Math.floor(this.#clock() / 1000) - clockSkewSeconds - 1;
    return this.token({ iat: exp - lifetimeSecondsMax, exp, ...claims });
  }

  /** Like {@link token}, for a session that has ended. */
  async revokedToken(claims: TestClaims = {}): Promise<string> {
    const sid = claims.sid ?? crypto.randomUUID();
    const until = Math.floor(this.#clock() / 1000) + lifetimeSecondsMax + clockSkewSeconds;
    this.revoke({ kind: 'session', sid, until });
    return this.token({ ...claims, sid });
  }

  /** A verifier of this issuer's tokens, closed with it. It follows the server when there is one. */
  verifier(options: Partial<IssuerOptions> & CommonOptions = {}): Verifier {
    const settings = readSettings({
      issuer: this.issuer,
      clock: this.#clock,
      ...(this.server
        ? { jwks: this.server.jwksUrl, revocations: this.server.revocationsUrl }
        : { jwks: this.jwks, revocations: false }),
      ...options,
    });
    const verifier = new LocalVerifier(settings);
    verifier.revoke(this.#revocations);
    this.#verifiers.push(verifier);
    return verifier;
  }

  /** Publishes a new key, signs with it from now on, and gives the key id of the one before. */
  async rotateKey(): Promise<string> {
    const previous = this.kid;
    this.#signing = await createSigningKey();
    this.#publish([...this.#published, this.#signing]);
    return previous;
  }

  /** Withdraws a key. */
  removeKey(kid: string): void {
    this.#publish(this.#published.filter(({ jwk }) => jwk.kid !== kid));
  }

  /** Notifies its verifiers at once; with `server: true` those that follow its feed, within a second. */
  revoke(...revocations: readonly Revocation[]): void {
    if (this.server !== undefined) {
      this.server.revoke(revocations);
      return;
    }
    this.#revocations.push(...revocations);
    for (const verifier of this.#verifiers) verifier.revoke(revocations);
  }

  /** Closes its verifiers and its server. */
  async close(): Promise<void> {
    for (const verifier of this.#verifiers) verifier.close();
    await this.server?.stop();
  }

  #publish(keys: SigningKey[]): void {
    this.#published = keys;
    this.server?.publish(this.jwks);
  }

  #defaultClaims(): TestClaims {
    const now = Math.floor(this.#clock() / 1000);
    return {
      iss: this.issuer,
      aud: this.audience,
      sub: crypto.randomUUID(),
      email: 'robin@example.com',
      name: 'Robin',
      organizationId: crypto.randomUUID(),
      organizationName: 'Example',
      role: 'member',
      sid: crypto.randomUUID(),
      iat: now,
      exp: now + 900,
      amr: ['pwd'],
      auth_time: now,
      bnd: 'test-binding',
    };
  }
}

async function createSigningKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const jwk = await exportJWK(publicKey);
  return {
    privateKey,
    jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: algorithm, use: 'sig' },
  };
}

export { TestIssuerServer } from './testing/testing-server.ts';
