import { setSessionCookie, type CookieReply } from '@tenantry/service/browser';
import { deviceCookieMaxAgeSeconds } from './devices/device-cookies.ts';
import type { IssuedSession, Principal } from './session.ts';

/** The part of a reply that is used. */
export interface SessionReply extends CookieReply {
  readonly request: { readonly isBrowser: boolean; readonly deviceCookie: string | undefined };
}

/**
 * The response for a started or renewed session, in every wing. A browser gets its tokens as cookies, and the refresh token
 * nowhere else, so that no script can read it.
 *
 * @param cookies `keep` leaves the access cookie as it is, for a token that one tab alone asked for.
 */
export function issuedSessionResponse(
  reply: SessionReply,
  issued: IssuedSession,
  cookies: 'set' | 'keep' = 'set',
) {
  const { session, token, tokenExpiresAt, refreshToken } = issued;
  const answer = {
    id: session.id,
    token,
    expiresAt: session.expiresAt.toISOString(),
    tokenExpiresAt: tokenExpiresAt.toISOString(),
    ...refusedResponse(issued),
  };
  if (!reply.request.isBrowser) return refreshToken === undefined ? answer : { ...answer, refreshToken };

  const maxAgeSeconds = (session.expiresAt.getTime() - issued.asOf.getTime()) / 1_000;
  if (cookies === 'set') setSessionCookie(reply, { kind: 'access', value: token, maxAgeSeconds });
  if (refreshToken !== undefined) {
    setSessionCookie(reply, { kind: 'refresh', value: refreshToken, maxAgeSeconds });
  }
  rememberBrowser(reply);
  // The token of a cookie that stays may be older than a rotation of AUTH_SECRET.
  return cookies === 'set' ? { ...answer, csrfToken: issued.csrfToken } : answer;
}

/** The organization whose requirements the session does not meet, if any. */
function refusedResponse({ organizationRefused }: Pick<IssuedSession, 'organizationRefused'>) {
  return organizationRefused === null ? {} : { organizationRefused: { ...organizationRefused } };
}

/** The current user, session and organization. */
export function currentSessionResponse(principal: Principal) {
  const { user, session, organization, tokenExpiresAt } = principal;
  return {
    user,
    session: {
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      tokenExpiresAt: tokenExpiresAt.toISOString(),
      ...refusedResponse(principal),
      ...(session.confinement && { confinedTo: session.confinement.organizationId }),
    },
    organization,
  };
}

/** Sets a browser's device cookie: the same browser must finish what it began. */
export function rememberBrowser(reply: SessionReply): void {
  const { isBrowser, deviceCookie } = reply.request;
  if (!isBrowser || deviceCookie === undefined) return;
  const maxAgeSeconds = deviceCookieMaxAgeSeconds;
  setSessionCookie(reply, { kind: 'device', value: deviceCookie, maxAgeSeconds });
}

/** Clears a browser's tokens; its device cookie stays. */
export function clearSessionCookies(reply: CookieReply): void {
  for (const kind of ['access', 'refresh'] as const) {
    setSessionCookie(reply, { kind, value: '', maxAgeSeconds: 0 });
  }
}
