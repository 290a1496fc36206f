import type { Service } from '@tenantry/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from '../../ground/callers/client.ts';
import { issuedSessionAnswer } from '../../sessions/sessions.answers.ts';
import { tidyBody } from '../../ground/text/tidy-body.ts';
import { tidyBackupCode } from './backup-codes.ts';
import { tidyTotpCode } from './codes.ts';
import type { Proof } from './second-factor.ts';
import { VerifyAnswer, VerifyBackupCodeBody, VerifyTotpBody } from './two-factor.schemas.ts';
import type { Verification } from './verification.ts';

const tags = ['two-factor'];

/** What the routes of verification need. */
export interface VerificationRoutesOptions {
  readonly verification: Verification;
  /** Sets the caller of a request, or throws. */
  readonly signedIn: (request: FastifyRequest) => Promise<void>;
}

/**
 * Proving a second factor. The routes are public for whoever comes with the token of a challenge; without one they
 * are for whoever is signed in.
 */
export function verificationRoutes(
  app: Service,
  { verification, signedIn }: VerificationRoutesOptions,
): void {
  async function verify(request: FastifyRequest, reply: FastifyReply, { challengeToken, proof }: Shown) {
    const client = clientOf(request);
    if (challengeToken === undefined) {
      await signedIn(request);
      const session = await verification.verify(request.principal, { proof, client });
      return { verified: true as const, session: issuedSessionAnswer(reply, session) };
    }
    const signIn = await verification.finishChallenge({ token: challengeToken, proof, client });
    const organizationId = signIn.organization?.id ?? null;
    return { user: { ...signIn.user, organizationId }, session: issuedSessionAnswer(reply, signIn.session) };
  }

  app.post(
    '/api/auth/two-factor/verify-totp',
    {
      config: { access: 'public' },
      preValidation: tidyBody({ code: tidyTotpCode }),
      schema: {
        tags,
        summary: 'Finish a sign-in, confirm a set-up or step the session up, by a code of the authenticator',
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
      config: { access: 'public' },
      preValidation: tidyBody({ code: tidyBackupCode }),
      schema: {
        tags,
        summary: 'Finish a sign-in or step the session up, by a backup code',
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

interface Shown {
  readonly challengeToken: string | undefined;
  readonly proof: Proof;
}
