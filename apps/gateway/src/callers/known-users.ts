import { createVerifier, type Identity, type Verifier } from '@tenantry/jwt-verify';
import type { Logger } from '@tenantry/service-kit';
import type { Config } from '../config.ts';
import type { RouteTable } from '../routing/route-table.ts';

/** Options of {@link KnownUsers}. */
export interface KnownUsersOptions {
  readonly verifier: Pick<Verifier, 'verify' | 'close'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

interface KnownToken {
  readonly token: string;
  readonly userId: string;
  readonly usableUntilMs: number;
}

const tokensMax = 20_000;
/** The characters of an ES256 signature, the last part of a token: they are faster to look up than the whole. */
const signatureLength = 86;

/**
 * Whose access tokens have been verified, so that requests can be counted by user. It decides nothing else: every service
 * verifies for itself, so a session that has ended may be known here until its token expires.
 */
export class KnownUsers {
  readonly #verifier: Pick<Verifier, 'verify' | 'close'>;
  readonly #now: () => number;
  /** In the order in which they were added, which is roughly the order in which they expire. */
  readonly #bySignature = new Map<string, KnownToken>();

  constructor({ verifier, now = Date.now }: KnownUsersOptions) {
    this.#verifier = verifier;
    this.#now = now;
  }

  /** The user of a known token that has not expired. */
  userOf(token: string): string | undefined {
    const known = this.#bySignature.get(token.slice(-signatureLength));
    if (known?.token !== token || known.usableUntilMs <= this.#now()) return undefined;
    return known.userId;
  }

  /**
   * Verifies a token for its next use. A forgery costs a signature check, so call it for requests that were counted by address
   * alone; nothing waits for the keys, so that an auth service that is away holds up nobody.
   */
  learn(token: string): void {
    this.#verifier.verify(token).then(
      (identity) => this.#add(token, identity),
      // The request is counted by address, and the service says why it is refused.
      () => undefined,
    );
  }

  #add(token: string, { userId, expiresAt }: Identity): void {
    const [oldest] = this.#bySignature.keys();
    if (this.#bySignature.size >= tokensMax && oldest !== undefined) this.#bySignature.delete(oldest);
    this.#bySignature.set(token.slice(-signatureLength), { token, userId, usableUntilMs: expiresAt * 1_000 });
  }

  close(): void {
    this.#verifier.close();
  }
}

/** What {@link openKnownUsers} goes by. */
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
  // Nothing depends on it: services warn of keys that cannot be read.
  const quiet = { warn: (message: string) => logger.info(message) };
  // Known tokens are kept here, and what a session that has ended may still do is for services to say.
  const verifier = createVerifier({ issuer, jwks, revocations: false, cacheSize: 0, logger: quiet });
  return new KnownUsers({ verifier });
}
