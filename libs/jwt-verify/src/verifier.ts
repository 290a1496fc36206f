import type { KeyObject } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { TokenError } from './errors.ts';
import { clockSkewSeconds, readIdentity, type Identity } from './identity.ts';
import { assertSignature, parseJws, readJson, type Jws } from './jws.ts';
import { keysAt, KeySource } from './key-source.ts';
import { RevocationFeed } from './revocation-feed.ts';
import { Revocations } from './revocations.ts';
import { VerifiedTokens, type VerifiedToken } from './verified-tokens.ts';

/** What a verifier needs to know; only `issuer` has no default. */
export interface VerifierOptions {
  /** The address of the auth service as its tokens name it (`iss`), compared exactly. */
  readonly issuer: string;
  /** Whom the tokens are for (`aud`), compared exactly. Default: `tenantry`. */
  readonly audience?: string;
  /** Where the issuer publishes its keys, or the JWK set itself. Default: `<issuer>/jwks`. */
  readonly jwks?: string | JSONWebKeySet;
  /** Where the issuer tells of revoked sessions. Without it a token counts until it expires. */
  readonly revocations?: string | RevocationOptions;
  /** The most verified tokens remembered, about 2 KiB each. Default: 10,000; 0 remembers none. */
  readonly cacheSize?: number;
  /** How often the keys are read again, in the background. Default: 30. */
  readonly keyRefreshSeconds?: number;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Where revocations come from, and how many are kept. */
export interface RevocationOptions {
  readonly url: string;
  /** The most revocations in force at once; with more, the feed shows as stale. Default: 200,000. */
  readonly entriesMax?: number;
}

/** How fresh the knowledge of revocations is. */
export interface RevocationStatus {
  /** Milliseconds since the issuer last answered: 0 without a feed, Infinity before its first answer. */
  readonly staleMs: number;
  /** Revocations in force. */
  readonly entries: number;
}

/** Verifies the access tokens of one issuer; make one per process with {@link createVerifier}. */
export interface Verifier {
  /** Says who holds this token, or rejects with a {@link TokenError}. */
  verify(token: string): Promise<Identity>;
  /**
   * As `verify`, without a promise where none is needed: only a token whose key must first be fetched
   * gives one. A refusal is thrown. For the hooks of a framework, where a promise costs more than the check.
   */
  verifyNow(token: string): Identity | Promise<Identity>;
  /** How stale the revocations are: what to do about it is the caller's choice. */
  readonly revocations: RevocationStatus;
  /**
   * Resolves when keys and revocations are loaded; rejects with a 503 {@link TokenError} when they are not
   * within `timeoutMs` (default 10,000). The verifier keeps trying either way.
   */
  ready(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Why tokens cannot be judged yet, or undefined once they can: for a readiness probe, which must not wait. */
  unreadyBecause(): Promise<string | undefined>;
  /** Ends all background work. What is known by then stays in use. */
  close(): void;
}

/**
 * Makes a verifier. It starts reading keys and revocations at once, in the background, and never keeps the
 * process alive.
 *
 * @example
 * const verifier = createVerifier({ issuer: 'https://auth.example.com/api/auth' });
 * const identity = await verifier.verify(token);
 */
export function createVerifier(options: VerifierOptions): Verifier {
  return new LocalVerifier(options);
}

class LocalVerifier implements Verifier {
  readonly revocations: RevocationStatus;
  readonly #issuer: string;
  readonly #audience: string;
  readonly #clock: () => number;
  readonly #keys: KeySource;
  readonly #revoked: Revocations;
  readonly #feed: RevocationFeed | undefined;
  readonly #verified: VerifiedTokens;
  readonly #ending = new AbortController();

  constructor(options: VerifierOptions) {
    this.#issuer = options.issuer;
    this.#audience = options.audience ?? 'tenantry';
    this.#clock = options.clock ?? Date.now;
    this.#verified = new VerifiedTokens(options.cacheSize ?? 10_000);
    const { url, entriesMax = 200_000 } = revocationOptions(options.revocations);
    const revoked = new Revocations(entriesMax);
    this.#revoked = revoked;
    this.#keys = this.#keySource(options);
    const feed = url === undefined ? undefined : this.#revocationFeed(url);
    this.#feed = feed;
    this.revocations = {
      get staleMs() {
        return feed === undefined ? 0 : feed.staleMs;
      },
      get entries() {
        return revoked.size;
      },
    };
  }

  async verify(token: string): Promise<Identity> {
    return this.verifyNow(token);
  }

  verifyNow(token: string): Identity | Promise<Identity> {
    // Whoever calls from JavaScript may hand in anything.
    if (typeof token !== 'string') throw new TokenError('TOKEN_MALFORMED');
    const verified = this.#verified.get(token);
    if (verified !== undefined) return this.#admit(verified);
    const jws = parseJws(token);
    const kid = keyIdOfAccessToken(jws);
    const key = this.#keys.find(kid);
    if (key !== undefined) return this.#check(token, jws, key);
    return this.#keys.fetch(kid).then((fetched) => this.#check(token, jws, fetched));
  }

  async ready({ timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {}): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const keys = this.#keys;
    await before(deadline, keys.loaded, () => new TokenError('KEYS_UNAVAILABLE', keys.lastError));
    const feed = this.#feed;
    if (feed === undefined) return;
    await before(deadline, feed.loaded, () => new TokenError('REVOCATIONS_UNAVAILABLE', feed.lastError));
  }

  async unreadyBecause(): Promise<string | undefined> {
    try {
      await this.ready({ timeoutMs: 0 });
      return undefined;
    } catch (error) {
      const isKeys = error instanceof TokenError && error.code === 'KEYS_UNAVAILABLE';
      return isKeys ? 'the keys of tokens are not known yet' : 'revocations are not known yet';
    }
  }

  close(): void {
    this.#ending.abort();
    this.#keys.close();
  }

  #check(token: string, jws: Jws, key: KeyObject): Identity {
    assertSignature(jws, key);
    const identity = readIdentity(readJson(jws.payload), {
      issuer: this.#issuer,
      audience: this.#audience,
      nowSeconds: this.#clock() / 1000,
    });
    const usableUntilMs = (identity.expiresAt + clockSkewSeconds) * 1000;
    const verified = { token, identity, usableUntilMs, revocationsVersion: -1 };
    this.#admit(verified);
    this.#verified.add(verified);
    return identity;
  }

  /** What is asked at every use, also of a token verified before. */
  #admit(verified: VerifiedToken): Identity {
    if (this.#clock() >= verified.usableUntilMs) {
      this.#verified.delete(verified.token);
      throw new TokenError('TOKEN_EXPIRED');
    }
    if (verified.revocationsVersion !== this.#revoked.version) {
      if (this.#revoked.covers(verified.identity)) throw new TokenError('TOKEN_REVOKED');
      verified.revocationsVersion = this.#revoked.version;
    }
    return verified.identity;
  }

  #keySource({ issuer, jwks = `${issuer.replace(/\/$/, '')}/jwks`, ...options }: VerifierOptions): KeySource {
    const literal = typeof jwks !== 'string';
    return new KeySource({
      load: literal ? async () => jwks : keysAt(jwks, this.#ending.signal),
      refreshIntervalMs: literal ? undefined : (options.keyRefreshSeconds ?? 30) * 1000,
      clock: this.#clock,
      // A token signed with a withdrawn key must not live on here.
      onRemoval: () => this.#verified.clear(),
    });
  }

  #revocationFeed(url: string): RevocationFeed {
    return new RevocationFeed({
      url,
      clock: this.#clock,
      apply: (news) => this.#revoked.apply(news, this.#clock() / 1000),
      signal: this.#ending.signal,
    });
  }
}

/** No other kind of token works as an access token (RFC 9068 section 4); jku, x5u, x5c and jwk are not read. */
function keyIdOfAccessToken({ header }: Jws): string {
  if (header['typ'] !== 'at+jwt') throw new TokenError('TOKEN_TYPE_REFUSED');
  const kid = header['kid'];
  if (typeof kid !== 'string') throw new TokenError('TOKEN_KEY_UNKNOWN');
  return kid;
}

function revocationOptions(option: VerifierOptions['revocations']): Partial<RevocationOptions> {
  return typeof option === 'string' ? { url: option } : (option ?? {});
}

/** Waits for a promise, and keeps the process alive meanwhile; past the deadline, throws what `late` gives. */
async function before(deadline: number, awaited: Promise<void>, late: () => TokenError): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // Node.js warns of a time that is less than none.
    timer = setTimeout(() => reject(late()), Math.max(0, deadline - performance.now()));
  });
  await Promise.race([awaited, timeout]).finally(() => clearTimeout(timer));
}
