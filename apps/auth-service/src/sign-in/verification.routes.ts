import { type Service, csrfFailed } from '@tenantry/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tidyBody, notLetInRefusals } from '../ground/index.ts';
import {
  issuedSessionAnswer,
  renewalRefusals,
  sessionEnded,
  shownWithToken,
  type SessionAccess,
  type Sessions,
} from '../sessions/index.ts';
import { tidyBackupCode } from './second-factors/backup-codes.ts';
import { tidyTotpCode } from './second-factors/codes.ts';
import type { SecondFactorProof } from './second-factors/second-factor.ts';
import { codeRefusals, invalidChallenge } from './second-factors/second-factors.errors.ts';
import { VerifyBackupCodeBody, VerifyTotpBody } from './second-factors/second-factors.schemas.ts';
import type { Verification } from './second-factors/verification.ts';
import { signedInAnswer } from './sign-in.answers.ts';
import { VerifyAnswer } from './sign-in.schemas.ts';
import type { SignIns } from './sign-in.ts';

const tags = ['two-factor'];
/** Of a challenge, of a code, and of the session that takes the place of a challenge. */
const refusals = [
  invalidChallenge(),
  ...codeRefusals,
  sessionEnded(),
  csrfFailed(),
  ...notLetInRefusals,
  ...renewalRefusals,
];

const steppedUp =
  'A session that is stepped up continues under a new id. Show that it is yours, and the answer renews it: a browser ' +
  'sends its cookies, any other client `refreshToken`. Without it the new access token expires when the one you sent ' +
  'does, and your refresh token continues the session.';

/** What the routes of verification need. */
export interface VerificationRoutesOptions {
  readonly signIns: Pick<SignIns, 'finish'>;
  readonly verification: Pick<Verification, 'verify'>;
  readonly access: Pick<SessionAccess, 'alsoSignedIn' | 'carriedBy'>;
  readonly sessions: Pick<Sessions, 'renewalOf'>;
}

/**
 * Proving a second factor. The routes are public for a client that has the token of a challenge; without one they need
 * a session.
 */
export function verificationRoutes(app: Service, options: VerificationRoutesOptions): void {
  const { signIns, verification, access, sessions } = options;

  async function verify(request: FastifyRequest, reply: FastifyReply, given: Given) {
    const { client } = request;
    const { challengeToken, refreshToken, proof } = given;
    if (challengeToken !== undefined) {
      const carried = await access.carriedBy(request);
      return signedInAnswer(reply, await signIns.finish({ token: challengeToken, proof, client, carried }));
    }
    await access.alsoSignedIn(request);
    const renewal = await sessions.renewalOf(request.principal, shownWithToken(request, refreshToken));
    const issued = await verification.verify(request.principal, { proof, client, renewal });
    return { verified: true as const, session: issuedSessionAnswer(reply, issued) };
  }

  app.post(
    '/api/auth/two-factor/verify-totp',
    {
      config: { access: 'public', errors: refusals },
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
      return verify(request, reply, { ...shown, proof: { method: 'totp', code } });
    },
  );

  app.post(
    '/api/auth/two-factor/verify-backup-code',
    {
      config: { access: 'public', errors: refusals },
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
      return verify(request, reply, { ...shown, proof: { method: 'backup-code', code } });
    },
  );
}

interface Given {
  readonly challengeToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly proof: SecondFactorProof;
}
