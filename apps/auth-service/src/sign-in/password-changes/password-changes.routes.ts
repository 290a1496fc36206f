import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import { OwnPasswordBody, SuccessAnswer } from '../../ground/index.ts';
import { invalidToken } from '../../mail/index.ts';
import { issuedSessionResponse } from '../../sessions/index.ts';
import { wrongPassword } from '../sign-in.errors.ts';
import { lastWayIn } from '../ways-in/ways-in.errors.ts';
import {
  ChangedPasswordAnswer,
  ChangePasswordBody,
  ForgotPasswordBody,
  ResetPasswordBody,
} from './password-changes.schemas.ts';
import type { SignInRoutesOptions } from '../wing.ts';

const tags = ['passwords'];

/** Changing a password, and setting a new one by mail. */
export function passwordChangesRoutes(app: Service, { passwordChanges, stepUp }: SignInRoutesOptions): void {
  app.post(
    '/api/auth/password/change',
    {
      config: {
        access: 'signed-in',
        errors: [...stepUp.refusals, wrongPassword('currentPassword')],
      },
      schema: {
        operationId: 'changePassword',
        tags,
        summary: 'Change your password and end other sessions',
        description:
          'Your session continues under a new id, in `session`: all earlier tokens stop working, including the one you sent.',
        body: ChangePasswordBody,
        response: { 200: ChangedPasswordAnswer },
      },
    },
    async ({ principal, body, client }, reply) => {
      const issued = await passwordChanges.change(principal, { ...body, client });
      const message = 'Your password is changed. All other sessions have ended.';
      return { success: true as const, message, session: issuedSessionResponse(reply, issued) };
    },
  );

  app.delete(
    '/api/auth/password',
    {
      config: { access: 'signed-in', errors: [...stepUp.refusals, lastWayIn()] },
      schema: {
        operationId: 'removePassword',
        tags,
        summary: 'Remove your password',
        description:
          'Sensitive. The last way to sign in cannot be removed: GET /api/auth/ways-in lists them. Other sessions that began with ' +
          'the password end.',
        body: OwnPasswordBody,
        response: { 204: Type.Null() },
      },
    },
    async ({ principal, body, client }, reply) => {
      await passwordChanges.remove(principal, { password: body?.password, client });
      return reply.code(204).send(null);
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
    async ({ body, client }) => {
      await passwordChanges.requestReset({ ...body, client });
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
          'The first proof that an address is yours also undoes what was set up before: other ways to sign in and the second ' +
          'factor are removed, others in the personal organization become plain members, and you resume there. On the device ' +
          'that signed up, only what other devices have added is removed.',
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
