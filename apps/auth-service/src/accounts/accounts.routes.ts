import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import { OwnPasswordBody, contextOf } from '../ground/index.ts';
import { invalidInvitation } from '../organizations/index.ts';
import { clearSessionCookies, issuedSessionResponse, rememberBrowser } from '../sessions/index.ts';
import { ownsAlone, signUpClosed, userAlreadyExists } from './accounts.errors.ts';
import { SignUpAnswer, SignUpBody } from './accounts.schemas.ts';
import { disablingRoutes } from './disabling.routes.ts';
import { emailsRoutes } from './emails.routes.ts';
import { profileRoutes } from './profile.routes.ts';
import type { AccountsRoutesOptions } from './wing.ts';

/** Routes to create an account, change its address, and delete it. */
export function accountsRoutes(app: Service, options: AccountsRoutesOptions): void {
  const { signUps, erasure, stepUp } = options;

  app.post(
    '/api/auth/sign-up/email',
    {
      config: {
        access: 'public',
        errors: [userAlreadyExists(), invalidInvitation(), signUpClosed()],
        findingsBeyond: (body: unknown) => signUps.findingsOf(body),
      },
      schema: {
        operationId: 'signUpWithEmail',
        tags: ['users'],
        summary: 'Create an account',
        body: SignUpBody,
        response: { 201: SignUpAnswer },
      },
    },
    async ({ body, client }, reply) => {
      const { user, session } = await signUps.signUp({ ...body, client });
      if (!session) {
        // It is recognized when it follows the link.
        rememberBrowser(reply);
        return reply.code(201).send({ user, emailVerificationRequired: true });
      }
      return reply.code(201).send({ user, session: issuedSessionResponse(reply, session) });
    },
  );

  app.delete(
    '/api/auth/user',
    {
      config: {
        access: 'signed-in',
        errors: [...stepUp.refusals, ownsAlone(['Analytical Engines'])],
      },
      schema: {
        operationId: 'deleteAccount',
        tags: ['users'],
        summary: 'Permanently delete your account',
        body: OwnPasswordBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, body, client } = request;
      await stepUp.require(principal, { concerns: 'way-in', password: body?.password, client });
      await erasure.erase(contextOf(request), principal);
      clearSessionCookies(reply);
      return reply.code(204).send(null);
    },
  );

  emailsRoutes(app, options);
  profileRoutes(app, options);
  disablingRoutes(app, options);
}
