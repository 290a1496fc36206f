import { csrfFailed, originNotAllowed, originStanding, sessionCookies } from '@tenantry/service-kit/browser';
import type { Client, Ground } from '../../ground/index.ts';
import type { Tokens } from '../../tokens/index.ts';
import { invalidRefreshToken, refreshTokenMissing, sessionMissing } from '../sessions.errors.ts';
import type { ShownWithToken } from '../renewals.ts';
import type { ReadRefreshToken, RefreshTokens } from './refresh-tokens.ts';

/** What is read of a request. */
export interface ShowingRequest {
  readonly isBrowser: boolean;
  readonly headers: Parameters<typeof originStanding>[0];
  readonly cookies: Parameters<typeof sessionCookies>[0];
}

/** The refresh token of a request: in its body, or in a browser's cookie. */
export type ShownRefreshTokenOf = (
  request: ShowingRequest,
  given: string | undefined,
) => ReadRefreshToken | undefined;

/** The refresh token of a signed-in request; `given` is from its body. */
export function shownWithToken(
  { cookies, client }: Pick<ShowingRequest, 'cookies'> & { readonly client: Client },
  given: string | undefined,
): ShownWithToken {
  return { refreshToken: given, refreshCookie: sessionCookies(cookies).refresh, client };
}

/** Dependencies of reading one. */
export interface ShownTokenDependencies extends Pick<Ground, 'origins'> {
  readonly refreshTokens: Pick<RefreshTokens, 'read'>;
  readonly tokens: Pick<Tokens, 'csrfTokens'>;
}

/** Makes {@link ShownRefreshTokenOf}: the one in a cookie counts if our own page sent it. */
export function shownRefreshTokens(dependencies: ShownTokenDependencies): ShownRefreshTokenOf {
  const { refreshTokens, tokens, origins } = dependencies;

  return ({ headers, cookies, isBrowser }, given) => {
    if (given !== undefined) return refreshTokens.read(given);
    const { refresh } = sessionCookies(cookies);
    if (refresh === undefined) throw isBrowser ? sessionMissing() : refreshTokenMissing();
    const token = refreshTokens.read(refresh);
    if (!token) throw invalidRefreshToken();
    if (originStanding(headers, origins) !== 'allowed') throw originNotAllowed();
    if (!tokens.csrfTokens.matches(token.sessionId, headers['x-csrf-token'])) throw csrfFailed();
    return token;
  };
}
