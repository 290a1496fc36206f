import type { Service } from '@tenantry/service-kit';
import { tidyBody, tidyEmail } from '../text/tidy-body.ts';
import { clientOf, deviceName } from './client.ts';
import {
  CurrentSessionAnswer,
  SessionListAnswer,
  SessionParams,
  SignInAnswer,
  SignInBody,
  SignOutAnswer,
} from './sessions.schemas.ts';
import type { Sessions } from './sessions.ts';
import { issuedSessionAnswer, membershipAnswer } from './sessions.answers.ts';

const tags = ['sessions'];

/** Signing in and out, and the sessions in between. */
export function sessionsRoutes(app: Service, { sessions }: { sessions: Sessions }): void {
  app.post(
    '/api/auth/sign-in/email',
    {
      config: { access: 'public' },
      preValidation: tidyBody({ email: tidyEmail }),
      schema: { tags, summary: 'Sign in', body: SignInBody, response: { 200: SignInAnswer } },
    },
    async (request) => {
      const { email, password } = request.body;
      const { user, organization, session } = await sessions.signIn({
        email,
        password,
        client: clientOf(request),
      });
      return {
        user: { ...user, organizationId: organization?.id ?? null },
        session: issuedSessionAnswer(session),
      };
    },
  );

  app.post(
    '/api/auth/sign-out',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'End the current session', response: { 200: SignOutAnswer } },
    },
    async ({ principal }) => {
      await sessions.revoke(principal, principal.session.id);
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
      schema: { tags, summary: 'End one session', params: SessionParams },
    },
    async ({ principal, params }, reply) => {
      await sessions.revoke(principal, params.id);
      return reply.code(204).send();
    },
  );
}
