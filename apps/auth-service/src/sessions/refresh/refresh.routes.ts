import {
  addressKey,
  csrfFailed,
  originNotAllowed,
  originStanding,
  sessionCookies,
} from '@tenantry/service-kit';
import type { Origins, Service } from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import type { AuthLimits } from '../../ground/limits/auth-limits.ts';
import type { Tokens } from '../../tokens/access-tokens/access-tokens.ts';
import { clientOf } from '../../ground/callers/client.ts';
import type { CsrfTokens } from '../../tokens/csrf-tokens.ts';
import type { ReadRefreshToken, RefreshTokens } from './refresh-tokens.ts';
import { issuedSessionAnswer } from '../sessions.answers.ts';
import { invalidRefreshToken } from '../sessions.errors.ts';
import { CsrfAnswer, RefreshAnswer, RefreshBody } from '../sessions.schemas.ts';
import type { Sessions } from '../sessions.ts';

const tags = ['sessions'];

/** What the routes need. */
export interface RefreshRoutesOptions {
  readonly sessions: Sessions;
  readonly tokens: Pick<Tokens, 'authenticate'>;
  readonly refreshTokens: Pick<RefreshTokens, 'read'>;
  readonly csrfTokens: CsrfTokens;
  readonly origins: Origins;
  readonly limits: Pick<AuthLimits, 'refresh'>;
}

/** Renewing a session, and what a browser needs for it. Both work after the access token has expired. */
export function refreshRoutes(app: Service, options: RefreshRoutesOptions): void {
  const { sessions, tokens, refreshTokens, csrfTokens, origins, limits } = options;

  /** The refresh token of a browser, if our own page sent it. */
  function tokenInCookie({ headers, cookies }: FastifyRequest): ReadRefreshToken {
    const { refresh } = sessionCookies(cookies);
    const token = refresh === undefined ? undefined : refreshTokens.read(refresh);
    if (!token) throw invalidRefreshToken();
    if (originStanding(headers, origins) !== 'allowed') throw originNotAllowed();
    if (!csrfTokens.matches(token.sessionId, headers['x-csrf-token'])) throw csrfFailed();
    return token;
  }

  app.post(
    '/api/auth/refresh',
    {
      config: { access: 'public' },
      // A browser has nothing to say beyond its cookie.
      preValidation: async (request: { body: unknown }) => {
        request.body ??= {};
      },
      schema: {
        tags,
        summary: 'Take a refresh token for the next one and a fresh access token',
        description:
          'A browser sends its cookie and X-CSRF-Token, any other client `refreshToken`. `organizationId` gives an ' +
          "access token for that organization and leaves the session's own as it is.",
        body: RefreshBody,
        response: { 200: RefreshAnswer },
      },
    },
    async (request, reply) => {
      const { refreshToken: shown, organizationId } = request.body;
      const refreshToken = shown === undefined ? tokenInCookie(request) : refreshTokens.read(shown);
      await limits.refresh.consume(refreshToken?.sessionId ?? addressKey(request.ip));
      if (!refreshToken) throw invalidRefreshToken();
      const session = await sessions.refresh({ refreshToken, organizationId, client: clientOf(request) });
      const cookies = organizationId === undefined ? 'set' : 'keep';
      return { session: issuedSessionAnswer(reply, session, cookies) };
    },
  );

  app.get(
    '/api/auth/csrf',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'The CSRF token of the session',
        description:
          'To be sent as X-CSRF-Token with whatever changes something. Asks for a session in a cookie.',
        response: { 200: CsrfAnswer },
      },
    },
    async (request) => {
      const { access, refresh } = sessionCookies(request.cookies);
      const renewable = refresh === undefined ? undefined : refreshTokens.read(refresh);
      const { sessionId } = renewable ?? (await tokens.authenticate(request));
      return { token: csrfTokens.of(sessionId, access) };
    },
  );
}
