import type { JSONWebKeySet } from 'jose';

/** An issuer whose tokens are trusted: its name, its keys and the sessions it has ended. */
export interface IssuerOptions {
  /** The address of the auth service as its tokens name it (`iss`), compared exactly. */
  readonly issuer: string;
  /** The URL at which the issuer publishes its keys, or the JWK set itself. Default: `<issuer>/jwks`. */
  readonly jwks?: string | JSONWebKeySet | undefined;
  /** The URL of the revocation feed. `false`: tokens of ended sessions are accepted until they expire. */
  readonly revocations: string | RevocationOptions | false;
}

/** Where revocations come from, and how many are kept. */
export interface RevocationOptions {
  readonly url: string;
  /** The most revocations in force at once; with more, the feed counts as stale. Default: 200,000. */
  readonly entriesMax?: number | undefined;
}

/** Where a verifier reports what its operator should know: `console`, or the logger of your service. */
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
  /** Whom the tokens are for (`aud`), compared exactly; any of several. Default: `tenantry`. */
  readonly audience?: string | readonly string[] | undefined;
  /** How often the keys are read again. Default: 30. */
  readonly keyRefreshSeconds?: number | undefined;
  /** How long keys stay in use while they cannot be read again; after that, tokens are 503. Default: 3600. */
  readonly keyMaxAgeSeconds?: number | undefined;
  /** The most verified tokens remembered, about 2 KiB each. Default: 10,000; 0 remembers none. */
  readonly cacheSize?: number | undefined;
  /**
   * Read keys and revocations in the background, off the path of requests: the default on Node.js. `false`, the
   * default where nothing may run between requests (Workers), makes a request wait for what is out of date.
   */
  readonly background?: boolean | undefined;
  /** Receives warnings of misconfiguration and outages, each once. Default: `console`. */
  readonly logger?: WarningLog | undefined;
  /** Called around each reading of keys and revocations, to measure or trace it. */
  readonly around?: AroundReading | undefined;
  /** Milliseconds since the epoch, of a clock that is never set. Default: `Date.now`, which may be. */
  readonly clock?: (() => number) | undefined;
}

/** Options of a verifier that trusts several issuers, each with keys and revocations of its own. */
export interface SeveralIssuers {
  readonly issuers: readonly IssuerOptions[];
}

/** What a verifier is made of; only `issuer` and `revocations` have no default. */
export type VerifierOptions = CommonOptions & (IssuerOptions | SeveralIssuers);
