import type { Transaction } from '../../database.ts';
import type { Client } from '../../ground/callers/client.ts';
import type { Principal } from '../../sessions/session.ts';
import type { IssuedSession, Sessions, SignedIn } from '../../sessions/sessions.ts';
import { challengeTokens, type Challenges } from './challenges.ts';
import type { Judge } from './judging.ts';
import type { Notices, Occasion } from './notices.ts';
import { isEnabled, isPending, type Account, type HeldAccount, type Proof } from './second-factor.ts';
import { invalidChallenge, invalidCode, twoFactorNotEnabled } from './two-factor.errors.ts';
import { committing, type TwoFactorRepository } from './two-factor.repository.ts';

/** A proof and who shows it. */
export interface Claim {
  readonly proof: Proof;
  readonly client: Client;
}

/** What verification needs. */
export interface VerificationDependencies {
  readonly repository: Pick<TwoFactorRepository, 'transaction' | 'hold' | 'enable'>;
  readonly challenges: Challenges;
  readonly judge: Judge;
  readonly notices: Notices;
  readonly sessions: Pick<Sessions, 'start' | 'stepUp' | 'revokeOthers' | 'issue'>;
  readonly now: () => Date;
}

/** Proving a second factor. */
export interface Verification {
  /** Finishes a sign-in that waits for it: the session starts here. */
  finishChallenge(claim: Claim & { readonly token: string }): Promise<SignedIn>;
  /** Confirms a set-up, or steps the session up: either way it goes on under a new id. RFC 9470. */
  verify(principal: Principal, claim: Claim): Promise<IssuedSession>;
}

/** Makes the use cases of verification. */
export function createVerification(dependencies: VerificationDependencies): Verification {
  const { repository, challenges, judge, notices, sessions, now } = dependencies;

  return {
    async finishChallenge({ token: shown, proof, client }) {
      const token = challengeTokens.read(shown);
      if (!token) throw invalidChallenge();
      const context = await committing(repository, token.ownerId, async (tx) => {
        const account = await repository.hold(tx);
        const challenge = await challenges.find(tx, { token, client });
        if (!isEnabled(account) || !challenge) return invalidChallenge();

        const verdict = await judge(tx, account, proof);
        await notices.judged(tx, { account, organizationId: account.lastOrganizationId, client }, verdict);
        if (verdict.accepted) {
          await challenges.close(tx, challenge);
          return sessions.start(tx, { client, factors: ['pwd', verdict.factor] });
        }
        if (!verdict.counted) return verdict.refusal;
        const { ended } = await challenges.countFailure(tx, challenge);
        return ended ? invalidCode({ endsChallenge: true }) : verdict.refusal;
      });
      const { user, organization } = context;
      return { user, organization, session: await sessions.issue(context) };
    },

    async verify(principal, { proof, client }) {
      const context = await committing(repository, principal.user.id, async (tx) => {
        const account = await repository.hold(tx);
        const confirms = isConfirmable(account, now()) && proof.method === 'totp';
        if (!isEnabled(account) && !confirms) return twoFactorNotEnabled();

        const verdict = await judge(tx, account, proof);
        const occasion = { account, organizationId: principal.organization?.id ?? null, client };
        await notices.judged(tx, occasion, verdict);
        if (!verdict.accepted) return verdict.refusal;
        if (confirms) await confirm(tx, principal, occasion);
        return sessions.stepUp(tx, principal, { client, factors: ['pwd', verdict.factor] });
      });
      return sessions.issue(context);
    },
  };

  /** Sessions that began without a second factor end, so that a token without one means a user without one. */
  async function confirm(tx: Transaction, principal: Principal, occasion: Occasion): Promise<void> {
    await repository.enable(tx, now());
    await sessions.revokeOthers(tx, principal);
    await notices.changed(tx, occasion, 'enabled');
  }
}

function isConfirmable(account: Account | undefined, at: Date): account is HeldAccount {
  return account?.authenticator !== undefined && isPending(account.authenticator, at);
}
