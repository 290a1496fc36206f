import type { Service } from '@tenantry/service-kit';
import { csrfFailed, sessionCookies, takeCookieSession } from '@tenantry/service-kit/browser';
import type { FastifyRequest } from 'fastify';
import { shownRefreshTokens } from './refresh/shown-token.ts';
import type { EndedSession } from './endings.ts';
import { clearSessionCookies } from './sessions.answers.ts';
import { invalidRefreshToken, sessionEnded } from './sessions.errors.ts';
import { SignOutAnswer, SignOutBody } from './sessions.schemas.ts';
import type { SessionsRoutesOptions } from './sessions.ts';

type NamedSession = Omit<EndedSession, 'client'>;

/**
 * Signs out with any token of the session that the client still has: often the access token has already expired, and the
 * session must end all the same.
 */
export function signOutRoutes(app: Service, options: SessionsRoutesOptions): void {
  const { sessions, tokens, origins } = options;
  const { refreshTokens } = sessions;
  const shownTokenOf = shownRefreshTokens({ refreshTokens, tokens, origins });

  /** The live session of a refresh token, in the body or in a cookie. */
  async function byRefreshToken(request: FastifyRequest, given?: string): Promise<NamedSession | undefined> {
    const refreshToken = shownTokenOf(request, given);
    if (!refreshToken) throw invalidRefreshToken();
    const holder = await sessions.refresh.holderOf({ refreshToken, client: request.client });
    return holder && { userId: holder.user.id, sessionId: holder.sessionId };
  }

  /** The session of an access token. */
  async function byAccessToken(request: FastifyRequest): Promise<NamedSession> {
    const { userId, sessionId } = await tokens.accessTokens.authenticateLate(request);
    return { userId, sessionId };
  }

  /** The session of a browser's cookies, if they contain one of our tokens. */
  async function byCookies(request: FastifyRequest): Promise<NamedSession | undefined> {
    const { refresh } = sessionCookies(request.cookies);
    if (refresh !== undefined && refreshTokens.read(refresh)) return byRefreshToken(request);
    takeCookieSession(request, origins);
    if (!request.byCookie) return undefined;
    return byAccessToken(request).catch((error: unknown) => {
      if ((error as { statusCode?: unknown }).statusCode === 401) return undefined;
      throw error;
    });
  }

  async function sessionOf(request: FastifyRequest, given: string | undefined) {
    if (given !== undefined) return byRefreshToken(request, given);
    if (request.headers.authorization !== undefined || !request.isBrowser) return byAccessToken(request);
    return byCookies(request);
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
