import type { Service } from '@tenantry/service-kit';
import { SuccessAnswer } from '../ground/index.ts';
import { invalidToken } from '../mail/index.ts';
import type { RequireSensitive } from '../sessions/index.ts';
import {
  ChangeEmailBody,
  ResendVerificationBody,
  VerifiedAnswer,
  VerifyEmailBody,
} from './emails.schemas.ts';
import type { Emails } from './emails.ts';

const tags = ['emails'];

/** What the routes of addresses need. */
export interface EmailsRoutesOptions {
  readonly emails: Emails;
  readonly requireSensitive: RequireSensitive;
}

/** Confirming an address, and moving to another. */
export function emailsRoutes(app: Service, { emails, requireSensitive }: EmailsRoutesOptions): void {
  app.post(
    '/api/auth/email/verify',
    {
      config: { access: 'public', errors: [invalidToken()] },
      schema: {
        operationId: 'verifyEmail',
        tags,
        summary: 'Confirm an address with the token mailed to it',
        body: VerifyEmailBody,
        response: { 200: VerifiedAnswer },
      },
    },
    async ({ body: { token }, client }) => {
      const { email } = await emails.verify(token, client);
      return { success: true as const, email };
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
    async ({ body }) => {
      await emails.resend(body.email);
      const message = 'If the address has an account that is not confirmed yet, a link is on its way to it.';
      return { success: true as const, message };
    },
  );

  app.post(
    '/api/auth/email/change',
    {
      config: { access: 'signed-in', errors: requireSensitive.refusals },
      schema: {
        operationId: 'changeEmail',
        tags,
        summary: 'Change your e-mail address',
        description: 'The account moves once the new address is confirmed.',
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
