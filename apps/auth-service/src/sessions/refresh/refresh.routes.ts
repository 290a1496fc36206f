import { csrfFailed, sessionCookies } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { notLetInRefusals } from '../../ground/index.ts';
import { refreshKey, shownRefreshToken } from './shown-token.http.ts';
import { issuedSessionResponse } from '../sessions.responses.ts';
import {
  invalidRefreshToken,
  sessionAddressChanged,
  sessionEnded,
  sessionMissing,
} from '../sessions.errors.ts';
import { CsrfAnswer, RefreshAnswer, RefreshBody } from '../sessions.schemas.ts';
import type { SessionsRoutesOptions } from '../sessions.ts';

const tags = ['sessions'];

/**
 * Routes to renew a session, and for the CSRF token that a browser needs for it. Both work after the access token has expired.
 */
export function refreshRoutes(app: Service, options: SessionsRoutesOptions): void {
  const { sessions, tokens, limits } = options;

  app.post(
    '/api/auth/refresh',
    {
      config: {
        access: 'public',
        errors: [
          invalidRefreshToken(),
          sessionAddressChanged(),
          sessionMissing(),
          ...notLetInRefusals,
          csrfFailed(),
        ],
      },
      // A browser sends only its cookie.
      preValidation: async (request: { body: unknown }) => {
        request.body ??= {};
      },
      schema: {
        operationId: 'refreshSession',
        tags,
        summary: 'Exchange a refresh token',
        description:
          'Returns a new access token and the next refresh token. A browser sends its cookie and X-CSRF-Token, any ' +
          'other client `refreshToken`. With `organizationId` the access token is for that organization; the active ' +
          'organization of the session does not change.',
        body: RefreshBody,
        response: { 200: RefreshAnswer },
      },
    },
    async (request, reply) => {
      const { refreshToken: given, organizationId } = request.body;
      const refreshToken = shownRefreshToken(options, request, given);
      await limits.refresh.consume(refreshKey(refreshToken, request.ip));
      if (!refreshToken) throw invalidRefreshToken();
      const issued = await sessions.refresh.renew({ refreshToken, organizationId, client: request.client });
      const cookies = organizationId === undefined ? 'set' : 'keep';
      return { session: issuedSessionResponse(reply, issued, cookies) };
    },
  );

  app.get(
    '/api/auth/csrf',
    {
      config: { access: 'public', errors: [sessionEnded()] },
      schema: {
        operationId: 'getCsrfToken',
        tags,
        summary: 'Get the CSRF token of the session',
        description:
          'Send it as X-CSRF-Token with every request that changes something. Needs a session in a cookie.',
        response: { 200: CsrfAnswer },
      },
    },
    async (request) => {
      const { access, refresh } = sessionCookies(request.cookies);
      const renewable = sessions.refreshTokens.read(refresh);
      const { sessionId } = renewable ?? (await tokens.accessTokens.authenticate(request));
      return { token: tokens.csrfTokens.of(sessionId, access) };
    },
  );
}
