import type { Service } from '@tenantry/service-kit';
import { SuccessAnswer, tidyBody, tidyEmail } from '../../ground/index.ts';
import { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody } from './password-changes.schemas.ts';
import type { PasswordChanges } from './password-changes.ts';

const tags = ['passwords'];

/** Changing a password, and setting a new one by mail. */
export function passwordChangesRoutes(app: Service, passwordChanges: PasswordChanges): void {
  app.post(
    '/api/auth/password/change',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Change your password and end other sessions',
        body: ChangePasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ principal, body, client }) => {
      await passwordChanges.change(principal, { ...body, client });
      return { success: true as const, message: 'Your password is changed. All other sessions have ended.' };
    },
  );

  app.post(
    '/api/auth/password/forgot',
    {
      config: { access: 'public' },
      preValidation: tidyBody({ email: tidyEmail }),
      schema: {
        tags,
        summary: 'Send a password-reset link',
        body: ForgotPasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ body }) => {
      await passwordChanges.requestReset(body.email);
      const message = 'If the address has an account, a link is on its way to it. It is valid for one hour.';
      return { success: true as const, message };
    },
  );

  app.post(
    '/api/auth/password/reset',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Set a new password with a mailed token and end all sessions',
        body: ResetPasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ body, client }) => {
      await passwordChanges.reset({ ...body, client });
      return { success: true as const, message: 'The password is set. Sign in with it.' };
    },
  );
}
