import { addressKey } from '@tenantry/service/addresses';
import { csrfFailed, originNotAllowed, originStanding, sessionCookies } from '@tenantry/service/browser';
import type { FastifyRequest } from 'fastify';
import type { Ground } from '../../ground/index.ts';
import type { Tokens } from '../../tokens/index.ts';
import { invalidRefreshToken, refreshTokenMissing, sessionMissing } from '../sessions.errors.ts';
import type { Sessions } from '../sessions.ts';
import type { ReadRefreshToken } from './refresh-tokens.ts';

interface ShownTokenDependencies extends Pick<Ground, 'origins'> {
  readonly sessions: Pick<Sessions, 'refreshTokens'>;
  readonly tokens: Pick<Tokens, 'csrfTokens'>;
}

/**
 * The refresh token of a request: the one given in its body, or else in a browser's cookie, which counts if our own page sent
 * it.
 */
export function shownRefreshToken(
  { sessions, tokens, origins }: ShownTokenDependencies,
  { headers, cookies, isBrowser }: FastifyRequest,
  given: string | undefined,
): ReadRefreshToken | undefined {
  if (given !== undefined) return sessions.refreshTokens.read(given);
  const { refresh } = sessionCookies(cookies);
  if (refresh === undefined) throw isBrowser ? sessionMissing() : refreshTokenMissing();
  const token = sessions.refreshTokens.read(refresh);
  if (!token) throw invalidRefreshToken();
  if (originStanding(headers, origins) !== 'allowed') throw originNotAllowed();
  if (!tokens.csrfTokens.matches(token.sessionId, headers['x-csrf-token'])) throw csrfFailed();
  return token;
}

/** By what the uses of a refresh token are limited: its session at an address, or the address alone if it is no token. */
export function refreshKey(token: ReadRefreshToken | undefined, ip: string): string {
  const address = addressKey(ip);
  return token ? `${token.sessionId} ${address}` : address;
}
