import { TokenError } from '../tokens/errors.ts';
import { clockSkewSeconds, readIdentity, type Claims, type Identity } from '../tokens/identity.ts';
import { keyIdOfAccessToken, parseJws, readJson, type Jws } from '../tokens/jws.ts';
import type { VerificationKey } from '../issuer/key-set.ts';
import { mismatchWarning } from '../tokens/mismatch.ts';
import {
  allReady,
  clockStatus,
  keyStatus,
  revocationStatus,
  type ClockStatus,
  type KeyStatus,
  type RevocationStatus,
} from './readiness.ts';
import type { Revocation } from '../issuer/revocations.ts';
import type { VerifierSettings } from '../issuer/settings.ts';
import { TrustedIssuer } from '../issuer/trusted-issuer.ts';
import { VerifiedTokens, type VerifiedToken } from './verified-tokens.ts';

/** Verifies the access tokens of the issuers it trusts; make one per process with `createVerifier`. */
export interface Verifier {
  /** Returns the identity of a token, or rejects with a {@link TokenError}. */
  verify(token: string): Promise<Identity>;
  /**
   * As `verify`, without a promise where none is needed: on Node.js only a token whose key must first be fetched
   * gives one. A refusal is thrown. For the hooks of a framework, where a promise costs more than the check.
   */
  verifyNow(token: string): Identity | Promise<Identity>;
  /** How stale the keys are. Past `keyMaxAgeSeconds` they are not used. */
  readonly keys: KeyStatus;
  /** How stale the revocations are: what to do about it is the caller's choice. */
  readonly revocations: RevocationStatus;
  /** The clock that tokens are judged by, and how far the process's own is from it. */
  readonly clock: ClockStatus;
  /**
   * Resolves when keys and revocations are loaded; rejects with a 503 {@link TokenError} when they are not
   * within `timeoutMs` (default 10,000), or when the keys are too old or the clock is ahead by more than a token
   * lives. The verifier keeps trying either way.
   */
  ready(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Why tokens cannot be verified yet, or undefined once they can: for a readiness probe, which must not wait. */
  unreadyBecause(): Promise<string | undefined>;
  /** Ends all background work. What is known by then stays in use until it is too old. */
  close(): void;
}

/** A parsed token, and the issuer whose keys verify it. */
interface Candidate {
  readonly token: string;
  readonly jws: Jws;
  readonly kid: string;
  readonly claims: Claims;
  readonly issuer: TrustedIssuer;
}

/** @internal */
export class LocalVerifier implements Verifier {
  readonly keys: KeyStatus;
  readonly revocations: RevocationStatus;
  readonly clock: ClockStatus;
  readonly #settings: VerifierSettings;
  readonly #issuers: readonly TrustedIssuer[];
  readonly #verified: VerifiedTokens;
  readonly #ending: AbortController | undefined;
  readonly #warned = new Set<string>();

  constructor(settings: VerifierSettings) {
    this.#settings = settings;
    this.#verified = new VerifiedTokens(settings.cacheSize);
    // Workers allow none outside a request, and without a background there is nothing to end.
    this.#ending = settings.background ? new AbortController() : undefined;
    const shared = {
      ...settings,
      signal: this.#ending?.signal,
      // A token signed with a withdrawn key must not stay in the cache.
      onKeyRemoval: () => this.#verified.clear(),
    };
    this.#issuers = settings.issuers.map((issuer) => new TrustedIssuer(issuer, shared));
    this.keys = keyStatus(this.#issuers);
    this.revocations = revocationStatus(this.#issuers);
    this.clock = clockStatus(this.#issuers);
  }

  async verify(token: string): Promise<Identity> {
    return this.verifyNow(token);
  }

  verifyNow(token: string): Identity | Promise<Identity> {
    // JavaScript callers may pass anything.
    if (typeof token !== 'string') throw new TokenError('TOKEN_MALFORMED');
    const refreshing = this.#settings.background ? undefined : this.#refreshIfDue();
    return refreshing === undefined ? this.#verify(token) : refreshing.then(() => this.#verify(token));
  }

  async ready({ timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {}): Promise<void> {
    if (!this.#settings.background) void this.#refreshIfDue();
    await allReady(this.#issuers, timeoutMs);
  }

  async unreadyBecause(): Promise<string | undefined> {
    try {
      await this.ready({ timeoutMs: 0 });
      return undefined;
    } catch (error) {
      const code = error instanceof TokenError ? error.code : undefined;
      if (code === 'CLOCK_AHEAD') return 'the clock is ahead of the issuer’s by more than a token lives';
      if (code !== 'KEYS_UNAVAILABLE') return 'session revocations have not been read yet';
      return this.keys.staleMs === Infinity ? 'token keys have not been read yet' : 'token keys are too old';
    }
  }

  close(): void {
    this.#ending?.abort();
    for (const { keys } of this.#issuers) keys.close();
  }

  /** Adds revocations as a feed would. */
  revoke(news: readonly Revocation[]): void {
    for (const { revocations, clock } of this.#issuers) revocations.apply(news, clock.now() / 1000);
  }

  #verify(token: string): Identity | Promise<Identity> {
    const verified = this.#verified.get(token);
    if (verified !== undefined) {
      const now = verified.issuer.clock.now();
      if (now < verified.issuer.keys.usableUntilMs) return this.#admit(verified, now);
    }
    const jws = parseJws(token);
    const kid = keyIdOfAccessToken(jws);
    const claims = readJson(jws.payload);
    const candidate = { token, jws, kid, claims, issuer: this.#issuerOf(claims, kid) };
    const key = candidate.issuer.keys.find(kid);
    if (key !== undefined) return this.#check(candidate, key);
    return candidate.issuer.keys.fetch(kid).then((fetched) => this.#check(candidate, fetched));
  }

  /**
   * The issuer that an unverified token names. A token of an unknown issuer is still verified with their keys: a valid
   * signature distinguishes a misconfigured verifier from a forgery.
   */
  #issuerOf(claims: Claims, kid: string): TrustedIssuer {
    const named = this.#issuers.find(({ name }) => name === claims['iss']);
    const signing = named ?? this.#issuers.find(({ keys }) => keys.find(kid) !== undefined);
    return signing ?? (this.#issuers[0] as TrustedIssuer);
  }

  #check(candidate: Candidate, key: VerificationKey): Identity | Promise<Identity> {
    const { signingInput, signature } = candidate.jws;
    const isSigned = key.check(signingInput, signature);
    if (typeof isSigned === 'boolean') return this.#accept(candidate, isSigned);
    return isSigned.then((it) => {
      // The key may have been withdrawn meanwhile.
      const { issuer, kid } = candidate;
      if (issuer.keys.find(kid)?.thumbprint !== key.thumbprint) throw new TokenError('TOKEN_KEY_UNKNOWN');
      return this.#accept(candidate, it);
    });
  }

  #accept(candidate: Candidate, isSigned: boolean): Identity {
    if (!isSigned) throw new TokenError('TOKEN_SIGNATURE_INVALID');
    const { token, issuer } = candidate;
    const now = issuer.clock.now();
    const identity = this.#identityOf(candidate, now);
    const usableUntilMs = (identity.expiresAt + clockSkewSeconds) * 1000;
    const verified = { token, identity, issuer, usableUntilMs, revocationsVersion: -1 };
    this.#admit(verified, now);
    this.#verified.add(verified);
    return identity;
  }

  #identityOf({ claims, issuer }: Candidate, now: number): Identity {
    const { audiences, logger } = this.#settings;
    try {
      return readIdentity(claims, { issuer: issuer.name, audiences, nowSeconds: now / 1000 });
    } catch (error) {
      const names = { iss: this.#issuers.map(({ name }) => name), aud: audiences };
      const warning = mismatchWarning(error, claims, names);
      if (warning !== undefined && !this.#warned.has(warning.claim)) {
        this.#warned.add(warning.claim);
        logger.warn(warning.message);
      }
      throw error;
    }
  }

  /** The checks at every use, also of a cached token. */
  #admit(verified: VerifiedToken, now: number): Identity {
    const { clock, revocations } = verified.issuer;
    if (now >= verified.usableUntilMs) {
      this.#verified.delete(verified.token);
      throw new TokenError(clock.isUseless ? 'CLOCK_AHEAD' : 'TOKEN_EXPIRED');
    }
    if (verified.revocationsVersion !== revocations.version) {
      if (revocations.covers(verified.identity)) throw new TokenError('TOKEN_REVOKED');
      verified.revocationsVersion = revocations.version;
    }
    return verified.identity;
  }

  #refreshIfDue(): Promise<unknown> | undefined {
    const due = this.#issuers
      .flatMap(({ keys, feed }) => [keys.refreshIfDue(), feed?.refreshIfDue()])
      .filter((reading) => reading !== undefined);
    return due.length === 0 ? undefined : Promise.all(due);
  }
}
