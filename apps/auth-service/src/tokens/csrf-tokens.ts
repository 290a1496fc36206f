import { csrfDigest, csrfDigestIn, isCsrfToken } from '@tenantry/service/browser';
import type { AuthSecret, SecretRing } from '../ground/index.ts';

/**
 * The CSRF tokens of sessions: one each, which its access tokens name by digest. They are derived from the session's id, so
 * that none is stored.
 */
export class CsrfTokens {
  readonly #secrets: SecretRing;

  constructor(secrets: SecretRing) {
    this.#secrets = secrets;
  }

  /** The one that the given access token names: it may date from before a rotation of AUTH_SECRET. */
  of(sessionId: string, accessToken?: string): string {
    const digest = accessToken === undefined ? undefined : csrfDigestIn(accessToken);
    const { all, current } = this.#secrets;
    const naming = all.find((secret) => csrfDigest(tokenBy(secret, sessionId)) === digest);
    return tokenBy(naming ?? current, sessionId);
  }

  /** The one of an access token that is being issued, and the claim `csh` that names it. */
  current(sessionId: string): { readonly token: string; readonly digest: string } {
    const token = tokenBy(this.#secrets.current, sessionId);
    return { token, digest: csrfDigest(token) };
  }

  /** Whether the value of X-CSRF-Token is the session's. */
  matches(sessionId: string, csrfToken: unknown): boolean {
    const digests = this.#secrets.all.map((secret) => csrfDigest(tokenBy(secret, sessionId)));
    return digests.some((digest) => isCsrfToken(csrfToken, digest));
  }
}

function tokenBy(secret: AuthSecret, sessionId: string): string {
  return secret.mac('csrf-token', sessionId).toString('base64url');
}
