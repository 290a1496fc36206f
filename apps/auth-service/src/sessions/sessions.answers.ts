import { setSessionCookie, type CookieReply } from '@tenantry/service-kit';
import { deviceCookieMaxAgeSeconds } from './devices/device-cookies.ts';
import type { Membership } from './session.ts';
import type { IssuedSession } from './sessions.ts';

/** What is needed of a reply. */
export interface SessionReply extends CookieReply {
  readonly request: { readonly isBrowser: boolean; readonly deviceCookie: string | undefined };
}

/**
 * A started or renewed session, as every feature that starts one answers it. A browser gets its tokens as cookies,
 * and the refresh token nowhere else: what no script can read no script can steal.
 *
 * @param cookies `keep` leaves the access cookie as it is, for a token that one tab alone asked for.
 */
export function issuedSessionAnswer(
  reply: SessionReply,
  session: IssuedSession,
  cookies: 'set' | 'keep' = 'set',
) {
  const { id, token, expiresAt, tokenExpiresAt, refreshToken } = session;
  const answer = {
    id,
    token,
    expiresAt: expiresAt.toISOString(),
    tokenExpiresAt: tokenExpiresAt.toISOString(),
  };
  const { isBrowser, deviceCookie } = reply.request;
  if (!isBrowser) return refreshToken === undefined ? answer : { ...answer, refreshToken };

  const maxAgeSeconds = session.endsInSeconds;
  const set = (kind: 'access' | 'refresh' | 'device', value: string | undefined, seconds: number) => {
    if (value !== undefined) setSessionCookie(reply, { kind, value, maxAgeSeconds: seconds });
  };
  set('access', cookies === 'set' ? token : undefined, maxAgeSeconds);
  set('refresh', refreshToken, maxAgeSeconds);
  set('device', deviceCookie, deviceCookieMaxAgeSeconds);
  return answer;
}

/** Takes a browser's tokens away; which browser it is stays known. */
export function clearSessionCookies(reply: CookieReply): void {
  for (const kind of ['access', 'refresh'] as const) {
    setSessionCookie(reply, { kind, value: '', maxAgeSeconds: 0 });
  }
}

/** An organization as one of its members sees it. */
export function membershipAnswer({ createdAt, ...membership }: Membership) {
  return { ...membership, createdAt: createdAt.toISOString() };
}
