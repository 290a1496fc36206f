import { csrfFailed } from '@tenantry/service/browser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renewalRefusals, issuedSessionResponse, sessionEnded } from '../../sessions/index.ts';
import { challengeTokens } from '../second-factors/challenges.ts';
import type { SecondFactorProof } from '../second-factors/second-factor.ts';
import { codeRefusals, invalidChallenge } from '../second-factors/second-factors.errors.ts';
import { signInRequired } from '../step-up/step-up.errors.ts';
import { signedInResponse } from '../sign-in.responses.ts';
import type { SignInRoutesOptions } from '../wing.ts';
import { notLetInRefusals } from '../../ground/index.ts';

/** The second factor in a request. */
interface GivenFactor {
  readonly challengeToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** The proof for the challenge or session with this id. */
  readonly proofTo: (askedBy: string) => SecondFactorProof;
}

/** Errors of challenges, of codes, and of the session that replaces a challenge. */
export const verifyingRefusals = [
  invalidChallenge(),
  ...codeRefusals,
  signInRequired(['mailed']),
  sessionEnded(),
  csrfFailed(),
  ...notLetInRefusals,
  ...renewalRefusals,
];

/** The renewed session. */
export const steppedUp =
  'A session that is stepped up continues under a new id. To renew it as well, prove that it is yours: a browser sends ' +
  'its cookies, any other client `refreshToken`. Otherwise the new access token expires when the one you sent does, ' +
  'and your refresh token continues the session. A set-up that began with your password renews the session in any case; without ' +
  'a password, confirm it where you signed in.';

/** Finishes the sign-in that a request names, or verifies the second factor of its session. */
export function createVerify({ signIns, verification, access, sessions }: SignInRoutesOptions) {
  return async (request: FastifyRequest, reply: FastifyReply, given: GivenFactor) => {
    const { client } = request;
    const { challengeToken: token, refreshToken, proofTo } = given;
    if (token !== undefined) {
      const carried = await access.carriedBy(request);
      const proof = proofTo(challengeTokens.read(token)?.id ?? '');
      return signedInResponse(reply, await signIns.finish({ token, proof, client, carried }));
    }
    await access.alsoSignedIn(request);
    const { principal } = request;
    const renewal = await sessions.refresh.renewalFor(request, refreshToken);
    const proof = proofTo(principal.session.id);
    const issued = await verification.verify(principal, { proof, client, renewal });
    return { verified: true as const, session: issuedSessionResponse(reply, issued) };
  };
}
