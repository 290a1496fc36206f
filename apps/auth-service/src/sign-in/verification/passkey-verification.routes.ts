import { csrfFailed } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { sessionEnded } from '../../sessions/index.ts';
import {
  noPasskeys,
  passkeyMissing,
  passkeyRefused,
  userNotVerified,
} from '../methods/passkeys/passkeys.errors.ts';
import { FactorOptionsAnswer } from '../methods/passkeys/passkeys.schemas.ts';
import { keepWhatIsRead } from '../methods/passkeys/response-fields.ts';
import { challengeTokens } from '../second-factors/challenges.ts';
import { invalidChallenge } from '../second-factors/second-factors.errors.ts';
import { PasskeyOptionsBody, VerifyPasskeyBody } from '../second-factors/second-factors.schemas.ts';
import { VerifyAnswer } from '../sign-in.schemas.ts';
import { verifyingRefusals, createVerify, steppedUp } from './verifying.http.ts';
import type { SignInRoutesOptions } from '../wing.ts';

const tags = ['two-factor'];

/** Proving a second factor by a passkey. */
export function passkeyVerificationRoutes(app: Service, options: SignInRoutesOptions): void {
  const { verification, access, signInLimits } = options;
  const verify = createVerify(options);

  app.post(
    '/api/auth/two-factor/passkey/options',
    {
      config: {
        access: 'public',
        confined: true,
        errors: [invalidChallenge(), noPasskeys(), passkeyMissing(), sessionEnded(), csrfFailed()],
      },
      schema: {
        operationId: 'getPasskeyVerificationOptions',
        tags,
        summary: 'Get the options to verify a passkey',
        description:
          'For the sign-in of `challengeToken`, or for your session. The response of the authenticator is valid once, for five ' +
          'minutes, and only for that sign-in or session.',
        body: PasskeyOptionsBody,
        response: { 200: FactorOptionsAnswer },
      },
    },
    async (request) => {
      const { body, client } = request;
      if (body?.challengeToken === undefined) {
        await access.alsoSignedIn(request);
        return { options: await verification.passkeyOptions(request.principal) };
      }
      const token = challengeTokens.read(body.challengeToken);
      if (!token) throw invalidChallenge();
      return { options: await verification.passkeyOptionsOf({ token, client }) };
    },
  );

  app.post(
    '/api/auth/two-factor/verify-passkey',
    {
      config: {
        access: 'public',
        confined: true,
        errors: [...verifyingRefusals, noPasskeys(), passkeyRefused(), userNotVerified(401)],
      },
      preValidation: keepWhatIsRead,
      schema: {
        operationId: 'verifyPasskey',
        tags,
        summary: 'Verify a passkey',
        description: `Finishes a sign-in, confirms a set-up or steps the session up. ${steppedUp}`,
        body: VerifyPasskeyBody,
        response: { 200: VerifyAnswer },
      },
    },
    async (request, reply) => {
      const { body, client } = request;
      const { response, ...shown } = body;
      const finish = () =>
        verify(request, reply, {
          ...shown,
          proofTo: (askedBy) => ({ method: 'passkey', response, askedBy }),
        });
      // A step-up is not a sign-in, and must not use up the sign-ins of its network.
      if (shown.challengeToken === undefined) return finish();
      const token = challengeTokens.read(shown.challengeToken);
      const of = token ? { userId: token.ownerId } : undefined;
      return signInLimits.prove({ of, client }, finish);
    },
  );
}
