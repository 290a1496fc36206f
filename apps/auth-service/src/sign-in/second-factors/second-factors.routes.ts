import type { Service } from '@tenantry/service/http';
import { OwnPasswordBody, tidyBody } from '../../ground/index.ts';
import {
  noPasskeys,
  passkeyMissing,
  passkeyRefused,
  userNotVerified,
} from '../methods/passkeys/passkeys.errors.ts';
import { keepWhatIsRead } from '../methods/passkeys/response-fields.ts';
import { proofOf, tidyCode } from './codes.ts';
import { codeRefusals, twoFactorAlreadyEnabled, twoFactorNotEnabled } from './second-factors.errors.ts';
import {
  DisableAnswer,
  DisableBody,
  EnableAnswer,
  EnableBody,
  RenewBackupCodesAnswer,
  StateAnswer,
} from './second-factors.schemas.ts';
import type { SignInRoutesOptions } from '../wing.ts';
import { ownerRefusals } from '../step-up/confirm-owner.ts';

const tags = ['two-factor'];

/** Setting up a second factor, and turning it off. */
export function secondFactorsRoutes(app: Service, options: SignInRoutesOptions): void {
  const { secondFactors, stepUp } = options;

  app.get(
    '/api/auth/two-factor',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'getTwoFactor',
        tags,
        summary: 'Get the state of two-factor authentication',
        response: { 200: StateAnswer },
      },
    },
    async ({ principal }) => secondFactors.state(principal.user.id),
  );

  app.post(
    '/api/auth/two-factor/enable',
    {
      config: {
        access: 'signed-in',
        errors: [...ownerRefusals, twoFactorAlreadyEnabled(), passkeyMissing()],
      },
      schema: {
        operationId: 'enableTwoFactor',
        tags,
        summary: 'Set up two-factor authentication',
        description:
          'Two-factor authentication is on once this session verifies a code from the app, or one of your passkeys, within ten ' +
          'minutes; your other sessions then end. Send your password; if you have none, sign in again first.',
        body: EnableBody,
        response: { 200: EnableAnswer },
      },
    },
    async ({ principal, body, client }) => {
      const { method = 'totp', password } = body ?? {};
      return secondFactors.enable(principal, { method, password, client });
    },
  );

  app.post(
    '/api/auth/two-factor/disable',
    {
      config: {
        access: 'signed-in',
        errors: [...ownerRefusals, ...codeRefusals, passkeyRefused(), userNotVerified(401), noPasskeys()],
      },
      preValidation: [tidyBody({ code: tidyCode }), keepWhatIsRead],
      schema: {
        operationId: 'disableTwoFactor',
        tags,
        summary: 'Turn off two-factor authentication',
        description: 'Earlier access tokens stop working in every service: refresh afterwards.',
        body: DisableBody,
        response: { 200: DisableAnswer },
      },
    },
    async ({ principal, body, client }) => {
      const proof =
        'code' in body
          ? proofOf(body.code)
          : ({ method: 'passkey', response: body.response, askedBy: principal.session.id } as const);
      await secondFactors.disable(principal, { password: body.password, proof, client });
      return { enabled: false as const };
    },
  );

  app.post(
    '/api/auth/two-factor/backup-codes',
    {
      config: { access: 'signed-in', errors: [...stepUp.refusals, twoFactorNotEnabled()] },
      schema: {
        operationId: 'renewBackupCodes',
        tags,
        summary: 'Replace the backup codes',
        description:
          'Needs a second factor confirmed in the last five minutes, on the device of this session; elsewhere the password too.',
        body: OwnPasswordBody,
        response: { 200: RenewBackupCodesAnswer },
      },
    },
    async ({ principal, body, client }) => {
      await stepUp.require(principal, { concerns: 'way-in', password: body?.password, client });
      return { backupCodes: await secondFactors.renewBackupCodes(principal, client) };
    },
  );
}
