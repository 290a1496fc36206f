import type { Service } from '@tenantry/service/http';
import { tidyBody } from '../../../ground/index.ts';
import { invalidToken } from '../../../mail/index.ts';
import { rememberBrowser } from '../../../sessions/index.ts';
import { accountLocked } from '../../lockout/lockout.errors.ts';
import { signInResponse } from '../../sign-in.responses.ts';
import { continuing, SignInAnswer } from '../../sign-in.schemas.ts';
import { tidyMailedCode } from './mailed-codes.ts';
import { identityInUse, tooManyIdentities } from '../providers/providers.errors.ts';
import { notMailed, openedElsewhere, wrongMailedCode } from './mailed-sign-ins.errors.ts';
import { RequestAnswer, RequestBody, VerifyBody } from './mailed-sign-ins.schemas.ts';
import type { SignInRoutesOptions } from '../../wing.ts';

const tags = ['sessions'];

/** Signing in by a mailed code or link. */
export function mailedSignInsRoutes(app: Service, options: SignInRoutesOptions): void {
  const { mailedSignIns, signIns, access } = options;

  app.post(
    '/api/auth/sign-in/mailed',
    {
      config: { access: 'public', errors: [notMailed()] },
      schema: {
        operationId: 'requestMailedSignIn',
        tags,
        summary: 'Send a code and a link to sign in with',
        description:
          'The response is the same for every address. Code and link work for ten minutes, only on this device. For an address ' +
          'without an account one is created, if sign-up is open.',
        body: RequestBody,
        response: { 200: RequestAnswer },
      },
    },
    async ({ body, client }, reply) => {
      const { id, expiresAt } = await mailedSignIns.request({ ...body, client });
      rememberBrowser(reply);
      return { request: { id, expiresAt: expiresAt.toISOString() } };
    },
  );

  app.post(
    '/api/auth/sign-in/mailed/verify',
    {
      config: {
        access: 'public',
        errors: [
          notMailed(),
          invalidToken(),
          openedElsewhere(),
          wrongMailedCode(),
          identityInUse(),
          tooManyIdentities(),
          accountLocked(new Date(30_000), new Date(0)),
        ],
      },
      preValidation: tidyBody({ code: tidyMailedCode }),
      schema: {
        operationId: 'verifyMailedSignIn',
        tags,
        summary: 'Sign in with a mailed code or link',
        description: `On any other device than the one that requested it, a link gets OPENED_ELSEWHERE and stays valid: enter its code on the first one. ${continuing}`,
        body: VerifyBody,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { body: shown, client } = request;
      const carried = await access.carriedBy(request);
      return signInResponse(reply, await signIns.by(mailedSignIns, { shown, client }, carried));
    },
  );
}
