import { addressKey, limitedBy, type Service } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { clientOf } from '../ground/callers/client.ts';
import { clearSessionCookies, issuedSessionAnswer } from '../sessions/sessions.answers.ts';
import type { RequireSensitive } from '../sign-in/step-up/step-up.ts';
import { tidyBody, tidyEmail, tidyName } from '../ground/text/tidy-body.ts';
import type { AuthLimits } from '../ground/limits/auth-limits.ts';
import type { Erasure } from './erasure.ts';
import { EraseUserBody, SignUpAnswer, SignUpBody } from './users.schemas.ts';
import type { Users } from './users.ts';

/** What the routes of users need. */
export interface UsersRoutesOptions {
  readonly users: Users;
  readonly erasure: Erasure;
  readonly requireSensitive: RequireSensitive;
  readonly limits: Pick<AuthLimits, 'signUp'>;
}

/** Making an account, and ending it. */
export function usersRoutes(app: Service, options: UsersRoutesOptions): void {
  const { users, erasure, requireSensitive, limits } = options;
  app.post(
    '/api/auth/sign-up/email',
    {
      config: { access: 'public', rateLimit: limitedBy(limits.signUp, ({ ip }) => addressKey(ip)) },
      preValidation: tidyBody({ email: tidyEmail, name: tidyName }),
      schema: {
        tags: ['users'],
        summary: 'Make an account',
        body: SignUpBody,
        response: { 201: SignUpAnswer },
      },
    },
    async (request, reply) => {
      const { user, session } = await users.signUp({ ...request.body, client: clientOf(request) });
      if (!session) return reply.code(201).send({ user, emailVerificationRequired: true });
      return reply.code(201).send({ user, session: issuedSessionAnswer(reply, session) });
    },
  );

  app.delete(
    '/api/auth/user',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['users'],
        summary: 'Erase the own account for good',
        body: EraseUserBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const client = clientOf(request);
      await requireSensitive(principal, { concerns: 'own-account', password: body?.password, client });
      await erasure.erase(principal.user, { userId: principal.user.id, client });
      clearSessionCookies(reply);
      return reply.code(204).send(null);
    },
  );
}
