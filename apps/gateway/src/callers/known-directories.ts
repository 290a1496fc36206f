import { scimTokenPrefix } from '@tenantry/contracts';
import { LocatedTokens } from '@tenantry/service/tokens';
import type { KnownUser } from './caller.ts';

/** The token of a directory as a request brings it. */
export interface PresentedDirectory {
  /** Undefined for a text that cannot be one. */
  readonly digest: string | undefined;
  /** The organization counts as the user, and the token as the session. */
  readonly user: KnownUser | undefined;
}

const tokens = new LocatedTokens(scimTokenPrefix);
const directoriesMax = 10_000;

/**
 * Remembers the tokens by which directories provision people, so that their requests count by token: many organizations' come from
 * the same few addresses. auth-service alone decides about a token; here it is known once that has taken it, until it refuses it.
 */
export class KnownDirectories {
  /** By digest, in the order in which they were learned. */
  readonly #known = new Map<string, KnownUser>();

  /** The token in a bearer token; undefined for any other. */
  read(bearer: string): PresentedDirectory | undefined {
    const text = bearer.trimStart();
    if (!text.startsWith(scimTokenPrefix)) return undefined;
    const shown = tokens.read(text);
    if (!shown) return { digest: undefined, user: undefined };
    return {
      digest: shown.digest.toString('base64url'),
      user: { userId: shown.ownerId, sessionId: shown.id },
    };
  }

  /** Whose requests count together, once the token is known. */
  find({ digest = '' }: PresentedDirectory): KnownUser | undefined {
    return this.#known.get(digest);
  }

  /** auth-service has taken the token. */
  keep({ digest, user }: PresentedDirectory): void {
    if (digest === undefined || user === undefined || this.#known.has(digest)) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= directoriesMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(digest, user);
  }

  /** It has refused it. */
  drop({ digest = '' }: PresentedDirectory): void {
    this.#known.delete(digest);
  }
}
