import type { Service } from '@tenantry/service-kit';
import { clientOf } from '../sessions/client.ts';
import { issuedSessionAnswer } from '../sessions/sessions.answers.ts';
import { tidyBody, tidyEmail, tidyName } from '../text/tidy-body.ts';
import { SignUpAnswer, SignUpBody } from './users.schemas.ts';
import type { Users } from './users.ts';

/** Making an account. */
export function usersRoutes(app: Service, { users }: { users: Users }): void {
  app.post(
    '/api/auth/sign-up/email',
    {
      config: { access: 'public' },
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
      return reply.code(201).send({ user, session: issuedSessionAnswer(reply, session) });
    },
  );
}
