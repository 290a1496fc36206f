import { addressKey, limitedBy, type Service } from '@tenantry/service-kit';
import { Type } from 'typebox';
import type { AuthLimits } from '../ground/limits/auth-limits.ts';
import type { RequireSensitive } from '../sign-in/step-up/step-up.ts';
import { tidyBody, tidyEmail } from '../ground/text/tidy-body.ts';
import { challengeAnswer } from '../sign-in/second-factors/challenge.answers.ts';
import { clientOf, deviceName } from '../ground/callers/client.ts';
import {
  CurrentSessionAnswer,
  EndSessionsAnswer,
  EndSessionsBody,
  EndSessionsQuery,
  SessionListAnswer,
  SessionParams,
  SignInAnswer,
  SignInBody,
  SignOutAnswer,
} from './sessions.schemas.ts';
import type { Sessions } from './sessions.ts';
import { clearSessionCookies, issuedSessionAnswer, membershipAnswer } from './sessions.answers.ts';

const tags = ['sessions'];

/** What the routes of sessions need. */
export interface SessionsRoutesOptions {
  readonly sessions: Sessions;
  readonly requireSensitive: RequireSensitive;
  readonly limits: Pick<AuthLimits, 'signIn'>;
}

/** Signing in and out, and the sessions in between. */
export function sessionsRoutes(app: Service, options: SessionsRoutesOptions): void {
  const { sessions, requireSensitive, limits } = options;

  app.post(
    '/api/auth/sign-in/email',
    {
      config: { access: 'public', rateLimit: limitedBy(limits.signIn, ({ ip }) => addressKey(ip)) },
      preValidation: tidyBody({ email: tidyEmail }),
      schema: { tags, summary: 'Sign in', body: SignInBody, response: { 200: SignInAnswer } },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const begun = await sessions.signIn({ email, password, client: clientOf(request) });
      if ('challenge' in begun) return challengeAnswer(reply, begun.challenge);
      const { user, organization, session } = begun;
      return {
        user: { ...user, organizationId: organization?.id ?? null },
        session: issuedSessionAnswer(reply, session),
      };
    },
  );

  app.post(
    '/api/auth/sign-out',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'End the current session', response: { 200: SignOutAnswer } },
    },
    async (request, reply) => {
      const { principal } = request;
      await sessions.end(principal, { sessionId: principal.session.id, client: clientOf(request) });
      if (request.isBrowser) clearSessionCookies(reply);
      return { success: true as const };
    },
  );

  app.get(
    '/api/auth/session',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Who is signed in, and in which organization',
        response: { 200: CurrentSessionAnswer },
      },
    },
    async ({ principal }) => {
      const { user, session, organization, tokenExpiresAt } = principal;
      return {
        user,
        session: {
          id: session.id,
          createdAt: session.createdAt.toISOString(),
          expiresAt: session.expiresAt.toISOString(),
          tokenExpiresAt: tokenExpiresAt.toISOString(),
        },
        organization: organization && membershipAnswer(organization),
      };
    },
  );

  app.get(
    '/api/auth/sessions',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'The live sessions of the user', response: { 200: SessionListAnswer } },
    },
    async ({ principal }) => {
      const listed = await sessions.list(principal);
      return {
        sessions: listed.map((session) => ({
          id: session.id,
          current: session.id === principal.session.id,
          device: deviceName(session),
          ipAddress: session.ipAddress,
          createdAt: session.createdAt.toISOString(),
          lastActiveAt: session.lastActiveAt.toISOString(),
          expiresAt: session.expiresAt.toISOString(),
          organizationId: session.organizationId,
        })),
      };
    },
  );

  app.delete(
    '/api/auth/sessions/:id',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'End one session', params: SessionParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { principal, params } = request;
      await sessions.end(principal, { sessionId: params.id, client: clientOf(request) });
      if (request.isBrowser && params.id === principal.session.id) clearSessionCookies(reply);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/auth/sessions',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'End several sessions at once',
        description: 'Sensitive: without a recent sign-in it asks for the password or for a second factor.',
        body: EndSessionsBody,
        querystring: EndSessionsQuery,
        response: { 200: EndSessionsAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const { scope } = request.query;
      const client = clientOf(request);
      await requireSensitive(principal, { concerns: 'own-account', password: body?.password, client });
      const revoked = await sessions.endScope(principal, { scope, client });
      if (request.isBrowser && scope === 'all') clearSessionCookies(reply);
      return { revoked };
    },
  );
}
