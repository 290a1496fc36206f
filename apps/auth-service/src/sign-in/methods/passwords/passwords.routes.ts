import type { Service } from '@tenantry/service-kit';
import { clientOf } from '../../../ground/callers/client.ts';
import { tidyBody, tidyEmail } from '../../../ground/text/tidy-body.ts';
import type { PasswordChanges } from './password-changes.ts';
import {
  ChangePasswordBody,
  ForgotPasswordBody,
  ResetPasswordBody,
  SuccessAnswer,
} from './passwords.schemas.ts';

const tags = ['passwords'];

/** Changing a password, and setting a new one by mail. */
export function passwordsRoutes(
  app: Service,
  { passwordChanges }: { passwordChanges: PasswordChanges },
): void {
  app.post(
    '/api/auth/password/change',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Change the own password; other sessions end',
        body: ChangePasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async (request) => {
      const { principal, body } = request;
      await passwordChanges.change(principal, { ...body, client: clientOf(request) });
      return {
        success: true as const,
        message: 'The password is changed, and all other sessions have ended.',
      };
    },
  );

  app.post(
    '/api/auth/password/forgot',
    {
      config: { access: 'public' },
      preValidation: tidyBody({ email: tidyEmail }),
      schema: {
        tags,
        summary: 'Have a link mailed by which to choose a new password',
        body: ForgotPasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ body }) => {
      await passwordChanges.requestReset(body.email);
      const message = 'If the address has an account, a link is on its way to it. It is good for one hour.';
      return { success: true as const, message };
    },
  );

  app.post(
    '/api/auth/password/reset',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Choose a new password with a mailed token; all sessions end',
        body: ResetPasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async (request) => {
      await passwordChanges.reset({ ...request.body, client: clientOf(request) });
      return { success: true as const, message: 'The password is set. Sign in with it.' };
    },
  );
}
