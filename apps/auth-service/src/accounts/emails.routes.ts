import { csrfFailed } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { SuccessAnswer } from '../ground/index.ts';
import { invalidToken } from '../mail/index.ts';
import { otherAccount, signInToMove } from './emails.errors.ts';
import {
  ChangeEmailBody,
  ResendVerificationBody,
  VerifiedAnswer,
  VerifyEmailBody,
} from './emails.schemas.ts';
import type { AccountsRoutesOptions } from './wing.ts';

const tags = ['emails'];

/** Routes to confirm an address, and to change it. */
export function emailsRoutes(app: Service, { emails, stepUp, access }: AccountsRoutesOptions): void {
  app.post(
    '/api/auth/email/verify',
    {
      config: {
        access: 'public',
        errors: [invalidToken(), signInToMove(), otherAccount(), csrfFailed()],
      },
      schema: {
        operationId: 'verifyEmail',
        tags,
        summary: 'Confirm an address with the token mailed to it',
        description:
          'The token that confirms a new account needs no session. On another device than the one that signed up, it also ' +
          'undoes everything that was set up before, since somebody else may have created the account: password, other ways to ' +
          'sign in, second factor and sessions. `resetToken` is for a new password then. The token that changes the address of ' +
          'an account works only in a session of that account.',
        body: VerifyEmailBody,
        response: { 200: VerifiedAnswer },
      },
    },
    async (request) => {
      const { body, client } = request;
      const signedIn = async () => {
        await access.alsoSignedIn(request).catch((error: unknown) => {
          const { code, reason } = error as { code?: unknown; reason?: string };
          throw code === 'UNAUTHENTICATED' ? signInToMove(reason) : error;
        });
        return request.principal;
      };
      return { success: true as const, ...(await emails.verify({ token: body.token, client, signedIn })) };
    },
  );

  app.post(
    '/api/auth/email/resend',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'resendVerificationEmail',
        tags,
        summary: 'Send the confirmation link again',
        body: ResendVerificationBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ body, client }) => {
      await emails.resend({ ...body, client });
      const message = 'If the address has an account that is not confirmed yet, a link is on its way to it.';
      return { success: true as const, message };
    },
  );

  app.post(
    '/api/auth/email/change',
    {
      config: { access: 'signed-in', errors: stepUp.refusals },
      schema: {
        operationId: 'changeEmail',
        tags,
        summary: 'Change your e-mail address',
        description:
          'The address changes once you follow the link mailed to the new one while signed in to this account. The current ' +
          'address is notified at once. A later request replaces an earlier one.',
        body: ChangeEmailBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ principal, body, client }) => {
      await emails.requestChange(principal, { ...body, client });
      const message =
        'Unless the address is in use, a link is on its way to it. Nothing changes until you follow it.';
      return { success: true as const, message };
    },
  );
}
