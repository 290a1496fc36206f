import { type Service, csrfFailed } from '@tenantry/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tidyBody, notLetInRefusals } from '../ground/index.ts';
import { issuedSessionAnswer, type SessionAccess, sessionEnded } from '../sessions/index.ts';
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
const refusals = [invalidChallenge(), ...codeRefusals, sessionEnded(), csrfFailed(), ...notLetInRefusals];

/** What the routes of verification need. */
export interface VerificationRoutesOptions {
  readonly signIns: Pick<SignIns, 'finish'>;
  readonly verification: Pick<Verification, 'verify'>;
  readonly access: Pick<SessionAccess, 'alsoSignedIn'>;
}

/**
 * Proving a second factor. The routes are public for a client that has the token of a challenge; without one they need
 * a session.
 */
export function verificationRoutes(app: Service, options: VerificationRoutesOptions): void {
  const { signIns, verification, access } = options;

  async function verify(request: FastifyRequest, reply: FastifyReply, { challengeToken, proof }: Given) {
    const { client } = request;
    if (challengeToken !== undefined) {
      return signedInAnswer(reply, await signIns.finish({ token: challengeToken, proof, client }));
    }
    await access.alsoSignedIn(request);
    const issued = await verification.verify(request.principal, { proof, client });
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
        description: 'Finishes a sign-in, confirms a set-up or steps the session up.',
        body: VerifyTotpBody,
        response: { 200: VerifyAnswer },
      },
    },
    (request, reply) => {
      const { code, challengeToken } = request.body;
      return verify(request, reply, { challengeToken, proof: { method: 'totp', code } });
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
        description: 'Finishes a sign-in or steps the session up.',
        body: VerifyBackupCodeBody,
        response: { 200: VerifyAnswer },
      },
    },
    (request, reply) => {
      const { code, challengeToken } = request.body;
      return verify(request, reply, { challengeToken, proof: { method: 'backup-code', code } });
    },
  );
}

interface Given {
  readonly challengeToken: string | undefined;
  readonly proof: SecondFactorProof;
}
