import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import { IdPath, OwnPasswordBody, deviceName, describeDevice } from '../ground/index.ts';
import { refreshRoutes } from './refresh/refresh.routes.ts';
import { clearSessionCookies, currentSessionResponse } from './sessions.responses.ts';
import { sessionNotFound } from './sessions.errors.ts';
import {
  CurrentSessionAnswer,
  EndSessionsAnswer,
  EndSessionsQuery,
  SessionListAnswer,
} from './sessions.schemas.ts';
import type { SessionsRoutesOptions } from './sessions.ts';
import { signOutRoutes } from './sign-out.routes.ts';

const tags = ['sessions'];

/** Routes to read, list and end the user's sessions. */
export function sessionsRoutes(app: Service, options: SessionsRoutesOptions): void {
  const { sessions, stepUp } = options;
  refreshRoutes(app, options);
  signOutRoutes(app, options);

  app.get(
    '/api/auth/session',
    {
      config: { access: 'signed-in', confined: true },
      schema: {
        operationId: 'getSession',
        tags,
        summary: 'Get the current session',
        response: { 200: CurrentSessionAnswer },
      },
    },
    async ({ principal }) => {
      return currentSessionResponse(principal);
    },
  );

  app.get(
    '/api/auth/sessions',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'List your sessions',
        response: { 200: SessionListAnswer },
      },
    },
    async ({ principal }) => {
      const listed = await sessions.list(principal);
      return {
        sessions: listed.map((session) => ({
          ...session,
          current: session.id === principal.session.id,
          device: deviceName(session),
          ...describeDevice(session.userAgent),
        })),
      };
    },
  );

  app.delete(
    '/api/auth/sessions/:id',
    {
      config: { access: 'signed-in', errors: [sessionNotFound()] },
      schema: {
        operationId: 'endSession',
        tags,
        summary: 'End one session',
        params: IdPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      await sessions.endings.end(principal, { sessionId: params.id, client: request.client });
      if (request.isBrowser && params.id === principal.session.id) clearSessionCookies(reply);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/auth/sessions',
    {
      config: { access: 'signed-in', errors: stepUp.refusals },
      schema: {
        operationId: 'endSessions',
        tags,
        summary: 'End several sessions at once',
        description: 'Sensitive: unless you signed in recently, needs your password or a second factor.',
        body: OwnPasswordBody,
        querystring: EndSessionsQuery,
        response: { 200: EndSessionsAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const { scope } = request.query;
      const { client } = request;
      await stepUp.require(principal, { concerns: 'sessions', password: body?.password, client });
      const revoked = await sessions.endings.endScope(principal, { scope, client });
      if (request.isBrowser && scope === 'all') clearSessionCookies(reply);
      return { revoked };
    },
  );
}
