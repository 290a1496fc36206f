import { setSessionCookie, type CookieReply } from '@tenantry/service-kit/browser';
import { deviceCookieMaxAgeSeconds } from './devices/device-cookies.ts';
import type { IssuedSession, Principal } from './session.ts';

/** What is needed of a reply. */
export interface SessionReply extends CookieReply {
  readonly request: { readonly isBrowser: boolean; readonly deviceCookie: string | undefined };
}

/**
 * A started or renewed session, as every wing that starts one answers it. A browser gets its tokens as cookies, and
 * the refresh token nowhere else: what no script can read no script can steal.
 *
 * @param cookies `keep` leaves the access cookie as it is, for a token that one tab alone asked for.
 */
export function issuedSessionAnswer(
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
    ...refusedAnswer(issued),
  };
  if (!reply.request.isBrowser) return refreshToken === undefined ? answer : { ...answer, refreshToken };

  const maxAgeSeconds = (session.expiresAt.getTime() - issued.asOf.getTime()) / 1_000;
  if (cookies === 'set') setSessionCookie(reply, { kind: 'access', value: token, maxAgeSeconds });
  if (refreshToken !== undefined) {
    setSessionCookie(reply, { kind: 'refresh', value: refreshToken, maxAgeSeconds });
  }
  rememberBrowser(reply);
  // That of a cookie that stays may date from before a rotation of AUTH_SECRET.
  return cookies === 'set' ? { ...answer, csrfToken: issued.csrfToken } : answer;
}

/** Says which organization the session is not let into, where there is one. */
function refusedAnswer({ organizationRefused }: Pick<IssuedSession, 'organizationRefused'>) {
  return organizationRefused === null ? {} : { organizationRefused: { ...organizationRefused } };
}

/** Who is signed in, and where: the session that continues. */
export function currentSessionAnswer(principal: Principal) {
  const { user, session, organization, tokenExpiresAt } = principal;
  return {
    user,
    session: {
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      tokenExpiresAt: tokenExpiresAt.toISOString(),
      ...refusedAnswer(principal),
    },
    organization,
  };
}

/** Lets a browser keep its device cookie: what it began, the same one must finish. */
export function rememberBrowser(reply: SessionReply): void {
  const { isBrowser, deviceCookie } = reply.request;
  if (!isBrowser || deviceCookie === undefined) return;
  const maxAgeSeconds = deviceCookieMaxAgeSeconds;
  setSessionCookie(reply, { kind: 'device', value: deviceCookie, maxAgeSeconds });
}

/** Takes a browser's tokens away; its device cookie stays. */
export function clearSessionCookies(reply: CookieReply): void {
  for (const kind of ['access', 'refresh'] as const) {
    setSessionCookie(reply, { kind, value: '', maxAgeSeconds: 0 });
  }
}
