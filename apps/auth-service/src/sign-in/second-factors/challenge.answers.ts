import { setSessionCookie } from '@tenantry/service-kit';
import { deviceCookieMaxAgeSeconds } from '../../sessions/devices/device-cookies.ts';
import type { SessionReply } from '../../sessions/sessions.answers.ts';
import type { Challenge } from './challenges.ts';

/** A challenge in place of a session. A new browser gets its name with it: the same one must finish what it began. */
export function challengeAnswer(reply: SessionReply, { token, expiresAt, methods }: Challenge) {
  const { isBrowser, deviceCookie } = reply.request;
  if (isBrowser && deviceCookie !== undefined) {
    const maxAgeSeconds = deviceCookieMaxAgeSeconds;
    setSessionCookie(reply, { kind: 'device', value: deviceCookie, maxAgeSeconds });
  }
  const challenge = { token, expiresAt: expiresAt.toISOString(), methods: [...methods] };
  return { twoFactorRequired: true as const, challenge };
}
