import type { Service } from '@tenantry/service/http';
import { tidyBody } from '../../ground/index.ts';
import { passkeyVerificationRoutes } from './passkey-verification.routes.ts';
import { tidyBackupCode } from '../second-factors/backup-codes.ts';
import { tidyTotpCode } from '../second-factors/codes.ts';
import { VerifyBackupCodeBody, VerifyTotpBody } from '../second-factors/second-factors.schemas.ts';
import { VerifyAnswer } from '../sign-in.schemas.ts';
import { createVerify, steppedUp, verifyingRefusals } from './verifying.http.ts';
import type { SignInRoutesOptions } from '../wing.ts';

const tags = ['two-factor'];

/**
 * Proving a second factor. The routes are public for a client that has the token of a challenge; without one they need
 * a session.
 */
export function verificationRoutes(app: Service, options: SignInRoutesOptions): void {
  const verify = createVerify(options);

  app.post(
    '/api/auth/two-factor/verify-totp',
    {
      config: { access: 'public', confined: true, errors: verifyingRefusals },
      preValidation: tidyBody({ code: tidyTotpCode }),
      schema: {
        operationId: 'verifyTotp',
        tags,
        summary: 'Verify a code of the authenticator',
        description: `Finishes a sign-in, confirms a set-up or steps the session up. ${steppedUp}`,
        body: VerifyTotpBody,
        response: { 200: VerifyAnswer },
      },
    },
    (request, reply) => {
      const { code, ...shown } = request.body;
      return verify(request, reply, { ...shown, proofTo: () => ({ method: 'totp', code }) });
    },
  );

  app.post(
    '/api/auth/two-factor/verify-backup-code',
    {
      config: { access: 'public', confined: true, errors: verifyingRefusals },
      preValidation: tidyBody({ code: tidyBackupCode }),
      schema: {
        operationId: 'verifyBackupCode',
        tags,
        summary: 'Verify a backup code',
        description: `Finishes a sign-in or steps the session up. ${steppedUp}`,
        body: VerifyBackupCodeBody,
        response: { 200: VerifyAnswer },
      },
    },
    (request, reply) => {
      const { code, ...shown } = request.body;
      return verify(request, reply, { ...shown, proofTo: () => ({ method: 'backup-code', code }) });
    },
  );

  passkeyVerificationRoutes(app, options);
}
