import { createVerifier, type Identity, type Verifier } from '@tenantry/jwt-verify';
import type { Logger } from '@tenantry/service/logging';
import type { Config } from '../config.ts';
import type { RouteTable } from '../routing/route-table.ts';
import type { KnownUser } from './caller.ts';

export interface KnownUsersOptions {
  readonly verifier: Pick<Verifier, 'verify' | 'close'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A token that is being verified. */
interface Verification {
  /** Whether a service has refused it meanwhile. */
  isRefused: boolean;
}

interface KnownToken {
  readonly token: string;
  readonly user: KnownUser;
  /** Whether a service has refused it. */
  readonly isRefused: boolean;
  readonly usableUntilMs: number;
}

const tokensMax = 20_000;
/** The characters of an ES256 signature, the last part of a token: they are faster to look up than the whole. */
const signatureLength = 86;

/**
 * Remembers the users of verified access tokens, so that requests can be counted by session. It decides nothing else: every
 * service verifies tokens itself. The token of an ended session counts for its user until a service has refused it.
 */
export class KnownUsers {
  readonly #verifier: Pick<Verifier, 'verify' | 'close'>;
  readonly #now: () => number;
  /** In the order in which they were added, which is roughly the order in which they expire. */
  readonly #bySignature = new Map<string, KnownToken>();
  readonly #verifications = new Map<string, Verification>();

  constructor({ verifier, now = Date.now }: KnownUsersOptions) {
    this.#verifier = verifier;
    this.#now = now;
  }

  /** A known token that has not expired. */
  find(token: string): Pick<KnownToken, 'user' | 'isRefused'> | undefined {
    const known = this.#bySignature.get(token.slice(-signatureLength));
    return known?.token === token && known.usableUntilMs > this.#now() ? known : undefined;
  }

  /**
   * Verifies a token for its next use. A forgery costs a signature check, so call it only for requests that were counted by
   * address. Nothing waits for the keys, so requests continue while auth-service is down.
   */
  learn(token: string): void {
    if (this.find(token) || this.#verifications.has(token)) return;
    const verification: Verification = { isRefused: false };
    this.#verifications.set(token, verification);
    this.#verifier.verify(token).then(
      (identity) => {
        this.#verifications.delete(token);
        this.#add(token, identity, verification);
      },
      // The request is counted by address, and the service returns the error.
      () => this.#verifications.delete(token),
    );
  }

  /** Remembers that a service has refused a token that is known, or is being verified. */
  distrust(token: string): void {
    const verification = this.#verifications.get(token);
    if (verification) verification.isRefused = true;
    const signature = token.slice(-signatureLength);
    const known = this.#bySignature.get(signature);
    if (known?.token === token) this.#bySignature.set(signature, { ...known, isRefused: true });
  }

  #add(token: string, { userId, sessionId, expiresAt }: Identity, { isRefused }: Verification): void {
    const [oldest] = this.#bySignature.keys();
    if (this.#bySignature.size >= tokensMax && oldest !== undefined) this.#bySignature.delete(oldest);
    const user = { userId, sessionId };
    const usableUntilMs = expiresAt * 1_000;
    this.#bySignature.set(token.slice(-signatureLength), { token, user, isRefused, usableUntilMs });
  }

  close(): void {
    this.#verifier.close();
  }
}

/** Options of {@link openKnownUsers}. */
export interface Surroundings {
  readonly config: Pick<Config, 'AUTH_URL'>;
  readonly table: RouteTable;
  readonly logger: Logger;
}

/** Identifies users with the keys of auth-service; undefined if its tokens cannot be recognized. */
export function openKnownUsers({ config, table, logger }: Surroundings): KnownUsers | undefined {
  const issuer = config.AUTH_URL;
  const auth = table.find(({ takesCookies }) => takesCookies);
  if (issuer === undefined || !auth) return undefined;
  const jwks = `${auth.addresses[0]?.origin}${auth.prefix}/jwks`;
  // Not logged here: services warn of keys that cannot be read.
  const quiet = { warn: (message: string) => logger.info(message) };
  // No cache, since tokens are kept here, and no revocations, since services check them.
  const verifier = createVerifier({ issuer, jwks, revocations: false, cacheSize: 0, logger: quiet });
  return new KnownUsers({ verifier });
}
