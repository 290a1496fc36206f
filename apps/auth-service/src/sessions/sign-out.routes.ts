import { csrfFailed, sessionCookies, takeCookieSession } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import type { FastifyRequest } from 'fastify';
import { shownRefreshToken } from './refresh/shown-token.http.ts';
import { clearSessionCookies } from './sessions.responses.ts';
import { invalidRefreshToken, sessionEnded } from './sessions.errors.ts';
import { SignOutAnswer, SignOutBody } from './sessions.schemas.ts';
import type { SessionsRoutesOptions } from './sessions.ts';
import type { CarriedSession } from './start.ts';

/**
 * Signs out with any token of the session that the client still has: often the access token has already expired, and the
 * session must end all the same.
 */
export function signOutRoutes(app: Service, options: SessionsRoutesOptions): void {
  const { sessions, tokens, origins } = options;

  /** The live session of a refresh token, in the body or in a cookie. */
  async function byRefreshToken(request: FastifyRequest, given?: string) {
    const refreshToken = shownRefreshToken(options, request, given);
    if (!refreshToken) throw invalidRefreshToken();
    return sessions.refresh.holderOf({ refreshToken, client: request.client });
  }

  /** The session of a browser's cookies, if they contain one of our tokens. */
  async function byCookies(request: FastifyRequest): Promise<CarriedSession | undefined> {
    if (sessions.refreshTokens.read(sessionCookies(request.cookies).refresh)) return byRefreshToken(request);
    takeCookieSession(request, origins);
    if (!request.byCookie) return undefined;
    return tokens.accessTokens.authenticateLate(request).catch((error: unknown) => {
      if ((error as { statusCode?: unknown }).statusCode === 401) return undefined;
      throw error;
    });
  }

  async function sessionOf(
    request: FastifyRequest,
    given: string | undefined,
  ): Promise<CarriedSession | undefined> {
    if (given !== undefined) return byRefreshToken(request, given);
    if (request.headers.authorization === undefined && request.isBrowser) return byCookies(request);
    return tokens.accessTokens.authenticateLate(request);
  }

  app.post(
    '/api/auth/sign-out',
    {
      config: { access: 'public', errors: [sessionEnded(), invalidRefreshToken(), csrfFailed()] },
      schema: {
        operationId: 'signOut',
        tags: ['sessions'],
        summary: 'End the current session',
        description:
          'Name the session by its access token, which may have expired, or by `refreshToken`; a browser sends its cookies ' +
          'and X-CSRF-Token. A session that has already ended is not an error. Cookies are cleared.',
        body: SignOutBody,
        response: { 200: SignOutAnswer },
      },
    },
    async (request, reply) => {
      const named = await sessionOf(request, request.body?.refreshToken);
      if (named) await sessions.endings.signOut({ ...named, client: request.client });
      if (request.isBrowser) clearSessionCookies(reply);
      return { success: true as const };
    },
  );
}
