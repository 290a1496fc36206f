import { createHmac } from 'node:crypto';
import { csrfDigest, csrfDigestIn, isCsrfToken } from '@tenantry/service-kit/browser';
import type { SecretRing } from '../ground/index.ts';

/** The CSRF tokens of sessions: one each, which its access tokens name by digest. */
export interface CsrfTokens {
  /** The one that the given access token names: it may date from before a rotation of AUTH_SECRET. */
  of(sessionId: string, accessToken?: string): string;
  /** The one of an access token that is being issued, and the claim `csh` that names it. */
  current(sessionId: string): { readonly token: string; readonly digest: string };
  /** Whether the value of X-CSRF-Token is the session's. */
  matches(sessionId: string, csrfToken: unknown): boolean;
}

/** Makes {@link CsrfTokens}: derived from the session's id, so that none is stored. */
export function createCsrfTokens(secrets: SecretRing): CsrfTokens {
  const tokenBy = (secret: SecretRing['current'], sessionId: string) =>
    createHmac('sha256', secret.key('csrf-token')).update(sessionId).digest('base64url');
  const tokens = (sessionId: string) => secrets.all.map((secret) => tokenBy(secret, sessionId));

  return {
    of(sessionId, accessToken) {
      const digest = accessToken === undefined ? undefined : csrfDigestIn(accessToken);
      const named = tokens(sessionId).find((token) => csrfDigest(token) === digest);
      return named ?? tokenBy(secrets.current, sessionId);
    },
    current(sessionId) {
      const token = tokenBy(secrets.current, sessionId);
      return { token, digest: csrfDigest(token) };
    },
    matches: (sessionId, csrfToken) =>
      tokens(sessionId).some((token) => isCsrfToken(csrfToken, csrfDigest(token))),
  };
}
