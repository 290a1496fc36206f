import { createHmac } from 'node:crypto';
import { csrfDigest, isCsrfToken } from '@tenantry/service-kit';
import type { SecretRing } from '../secrets/auth-secret.ts';

/** The CSRF tokens of sessions: one each, which its access tokens name by digest. */
export interface CsrfTokens {
  of(sessionId: string): string;
  /** The claim `csh`. */
  digestFor(sessionId: string): string;
  /** Whether the value of X-CSRF-Token is the session's. */
  matches(sessionId: string, csrfToken: unknown): boolean;
}

/** Makes {@link CsrfTokens}: derived from the session's id, so that none is stored. */
export function createCsrfTokens(secrets: SecretRing): CsrfTokens {
  const tokens = (sessionId: string) =>
    secrets.all.map((secret) =>
      createHmac('sha256', secret.key('csrf-token')).update(sessionId).digest('base64url'),
    );
  const current = (sessionId: string) => tokens(sessionId)[0] as string;

  return {
    of: current,
    digestFor: (sessionId) => csrfDigest(current(sessionId)),
    matches: (sessionId, csrfToken) =>
      tokens(sessionId).some((token) => isCsrfToken(csrfToken, csrfDigest(token))),
  };
}
