import type { Service } from '@tenantry/service-kit';
import { clientOf } from '../../ground/callers/client.ts';
import { tidyBody } from '../../ground/text/tidy-body.ts';
import { proofOf, tidyCode } from './codes.ts';
import {
  DisableAnswer,
  DisableBody,
  EnableAnswer,
  EnableBody,
  RenewBackupCodesAnswer,
  StateAnswer,
} from './two-factor.schemas.ts';
import type { TwoFactor } from './two-factor.ts';

const tags = ['two-factor'];

/** Setting a second factor up, and giving it up. */
export function twoFactorRoutes(app: Service, { twoFactor }: { twoFactor: TwoFactor }): void {
  app.get(
    '/api/auth/two-factor',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'Whether a second factor is asked for', response: { 200: StateAnswer } },
    },
    async ({ principal }) => twoFactor.state(principal),
  );

  app.post(
    '/api/auth/two-factor/enable',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Set up an authenticator; it counts once a code is verified, within ten minutes',
        body: EnableBody,
        response: { 200: EnableAnswer },
      },
    },
    async (request) => {
      const { principal, body } = request;
      const setUp = await twoFactor.enable(principal, { ...body, client: clientOf(request) });
      return { ...setUp, backupCodes: [...setUp.backupCodes] };
    },
  );

  app.post(
    '/api/auth/two-factor/disable',
    {
      config: { access: 'signed-in' },
      preValidation: tidyBody({ code: tidyCode }),
      schema: {
        tags,
        summary: 'Ask for no second factor any more',
        description: 'Access tokens of before count no more in any service: refresh afterwards.',
        body: DisableBody,
        response: { 200: DisableAnswer },
      },
    },
    async (request) => {
      const { password, code } = request.body;
      const claim = { password, proof: proofOf(code), client: clientOf(request) };
      await twoFactor.disable(request.principal, claim);
      return { enabled: false as const };
    },
  );

  app.post(
    '/api/auth/two-factor/backup-codes',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Replace the backup codes; needs a second factor at most five minutes old',
        response: { 200: RenewBackupCodesAnswer },
      },
    },
    async (request) => {
      const backupCodes = await twoFactor.renewBackupCodes(request.principal, clientOf(request));
      return { backupCodes: [...backupCodes] };
    },
  );
}
