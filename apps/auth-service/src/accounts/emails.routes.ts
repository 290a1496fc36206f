import type { Service } from '@tenantry/service-kit';
import { clientOf } from '../ground/callers/client.ts';
import { SuccessAnswer } from '../sign-in/methods/passwords/passwords.schemas.ts';
import { tidyBody, tidyEmail } from '../ground/text/tidy-body.ts';
import {
  ChangeEmailBody,
  ResendVerificationBody,
  VerifiedAnswer,
  VerifyEmailBody,
} from './emails.schemas.ts';
import type { Emails } from './emails.ts';

const tags = ['emails'];

/** Confirming an address, and moving to another. */
export function emailsRoutes(app: Service, { emails }: { emails: Emails }): void {
  app.post(
    '/api/auth/email/verify',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Confirm an address with the token that was mailed to it',
        body: VerifyEmailBody,
        response: { 200: VerifiedAnswer },
      },
    },
    async (request) => {
      const { email } = await emails.verify(request.body.token, clientOf(request));
      return { success: true as const, email };
    },
  );

  app.post(
    '/api/auth/email/resend',
    {
      config: { access: 'public' },
      preValidation: tidyBody({ email: tidyEmail }),
      schema: {
        tags,
        summary: 'Have the link that confirms an address mailed again',
        body: ResendVerificationBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ body }) => {
      await emails.resend(body.email);
      const message = 'If the address has an account that waits to be confirmed, a link is on its way to it.';
      return { success: true as const, message };
    },
  );

  app.post(
    '/api/auth/email/change',
    {
      config: { access: 'signed-in' },
      preValidation: tidyBody({ newEmail: tidyEmail }),
      schema: {
        tags,
        summary: 'Move the account to another address, once that is confirmed',
        body: ChangeEmailBody,
        response: { 200: SuccessAnswer },
      },
    },
    async (request) => {
      const { principal, body } = request;
      await emails.requestChange(principal, { ...body, client: clientOf(request) });
      const message =
        'Unless the address is in use, a link is on its way to it. Until it is followed nothing changes.';
      return { success: true as const, message };
    },
  );
}
