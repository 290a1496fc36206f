import type { JSONWebKeySet } from 'jose';

/** An issuer whose tokens are trusted: its name, its keys and the sessions it has ended. */
export interface IssuerOptions {
  /** The URL of the auth service, exactly as in the `iss` of its tokens. */
  readonly issuer: string;
  /** The URL of the issuer's keys, or a JWK set. Default: `<issuer>/jwks`. */
  readonly jwks?: string | JSONWebKeySet | undefined;
  /** The URL of the revocation feed. `false`: tokens of ended sessions are accepted until they expire. */
  readonly revocations: string | RevocationOptions | false;
}

/** Where revocations come from, and how many are kept. */
export interface RevocationOptions {
  readonly url: string;
  /** Maximum number of revocations kept; beyond it the feed counts as stale. Default: 200,000. */
  readonly entriesMax?: number | undefined;
}

/** Gets the verifier's warnings: `console`, or the logger of your service. */
export interface WarningLog {
  warn(message: string): void;
}

/** Runs one reading of what an issuer publishes and gives what it gave: a place for a timer or a span. */
export type AroundReading = <Result>(
  what: 'keys' | 'revocations',
  read: () => Promise<Result>,
) => Promise<Result>;

/** Options of a verifier that hold for all of its issuers. */
export interface CommonOptions {
  /** The accepted audience (`aud`), or several. Default: `tenantry`. */
  readonly audience?: string | readonly string[] | undefined;
  /** How often the keys are read again. Default: 30. */
  readonly keyRefreshSeconds?: number | undefined;
  /** How long keys stay in use if they cannot be read again; after that, tokens get 503. Default: 3600. */
  readonly keyMaxAgeSeconds?: number | undefined;
  /** Maximum number of cached tokens, about 2 KiB each. Default: 10,000; 0 turns the cache off. */
  readonly cacheSize?: number | undefined;
  /**
   * Read keys and revocations in the background, off the path of requests: the default on Node.js. `false`, the
   * default where nothing may run between requests (Workers), makes a request wait for what is out of date.
   */
  readonly background?: boolean | undefined;
  /** Receives warnings of misconfiguration and outages, each once. Default: `console`. */
  readonly logger?: WarningLog | undefined;
  /** Called around each read of keys and revocations, to measure or trace it. */
  readonly around?: AroundReading | undefined;
  /** Milliseconds since the epoch, from a clock that is never adjusted. Default: `Date.now`, which may be. */
  readonly clock?: (() => number) | undefined;
}

/** Options of a verifier that trusts several issuers, each with keys and revocations of its own. */
export interface SeveralIssuers {
  readonly issuers: readonly IssuerOptions[];
}

/** Options of a verifier; `issuer` and `revocations` are required. */
export type VerifierOptions = CommonOptions & (IssuerOptions | SeveralIssuers);
