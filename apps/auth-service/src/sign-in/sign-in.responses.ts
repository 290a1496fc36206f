import {
  issuedSessionResponse,
  rememberBrowser,
  type IssuedSession,
  type SessionReply,
} from '../sessions/index.ts';
import type { Challenged } from './sign-in.ts';

/** A user and the session that they signed in to. */
export function signedInResponse(reply: SessionReply, issued: IssuedSession) {
  const { user, organization } = issued;
  return {
    user: { ...user, organizationId: organization?.id ?? null },
    session: issuedSessionResponse(reply, issued),
  };
}

/** The response of a sign-in method. */
export function signInResponse(reply: SessionReply, outcome: IssuedSession | Challenged) {
  return 'challenge' in outcome ? challengeResponse(reply, outcome) : signedInResponse(reply, outcome);
}

/** A challenge instead of a session. The same browser must complete it. */
function challengeResponse(reply: SessionReply, { challenge }: Challenged) {
  rememberBrowser(reply);
  const { token, expiresAt, methods } = challenge;
  return {
    twoFactorRequired: true as const,
    challenge: { token, expiresAt: expiresAt.toISOString(), methods: [...methods] },
  };
}
