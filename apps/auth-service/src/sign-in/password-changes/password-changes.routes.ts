import type { Service } from '@tenantry/service-kit';
import { SuccessAnswer } from '../../ground/index.ts';
import { invalidToken } from '../../mail/index.ts';
import type { RequireSensitive } from '../../sessions/index.ts';
import { wrongPassword } from '../sign-in.errors.ts';
import { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody } from './password-changes.schemas.ts';
import type { PasswordChanges, ReclaimPersonal } from './password-changes.ts';

const tags = ['passwords'];

/** What the routes of passwords need. */
export interface PasswordChangesRoutesOptions {
  readonly passwordChanges: PasswordChanges;
  readonly requireSensitive: RequireSensitive;
  readonly reclaimPersonal: ReclaimPersonal;
}

/** Changing a password, and setting a new one by mail. */
export function passwordChangesRoutes(app: Service, options: PasswordChangesRoutesOptions): void {
  const { passwordChanges, requireSensitive, reclaimPersonal } = options;

  app.post(
    '/api/auth/password/change',
    {
      config: {
        access: 'signed-in',
        errors: [...requireSensitive.refusals, wrongPassword('currentPassword')],
      },
      schema: {
        operationId: 'changePassword',
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
      schema: {
        operationId: 'requestPasswordReset',
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
      config: { access: 'public', errors: [invalidToken()] },
      schema: {
        operationId: 'resetPassword',
        tags,
        summary: 'Set a new password with a mailed token and end all sessions',
        description:
          'The first proof that an address is yours also undoes what was set up before: the second factor goes, and ' +
          'others in the personal organization become plain members.',
        body: ResetPasswordBody,
        response: { 200: SuccessAnswer },
      },
    },
    async ({ body, client }) => {
      await passwordChanges.reset({ ...body, client }, reclaimPersonal);
      return { success: true as const, message: 'The password is set. Sign in with it.' };
    },
  );
}
