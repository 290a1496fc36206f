import type { Transaction } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { SessionAccess, Sessions } from '../sessions/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { CallOutside } from '@tenantry/service-kit';
import { FirstProofs } from './first-proof.ts';
import { sweepKnownDevices, sweepSignInFailures } from './lockout/lockout.repository.ts';
import { Lockout } from './lockout/lockout.ts';
import { Mailboxes } from './mailboxes.ts';
import type { MailboxOwners } from './newcomers.ts';
import { sweepMailedSignIns } from './methods/mailed/mailed-sign-ins.repository.ts';
import { MailedSignIns } from './methods/mailed/mailed-sign-ins.ts';
import type { PasskeyFactor } from './methods/passkeys/passkey-factor.ts';
import { sweepUsedChallenges } from './methods/passkeys/used-challenges.repository.ts';
import { createPasskeyWing } from './methods/passkeys/wing.ts';
import { Passwords } from './methods/passwords/passwords.ts';
import { sweepFlows } from './methods/providers/flows.repository.ts';
import { createProviderGround, createProviderSignIn } from './methods/providers/wing.ts';
import { PasswordChanges } from './password-changes/password-changes.ts';
import { Rebinding } from './rebinding/rebinding.ts';
import { sweepChallenges } from './second-factors/challenges.repository.ts';
import { Challenges } from './second-factors/challenges.ts';
import { Judge } from './second-factors/judging.ts';
import { Notices } from './second-factors/notices.ts';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.ts';
import { SecondFactors } from './second-factors/second-factors.ts';
import { Verification } from './second-factors/verification.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { SignIns } from './sign-in.ts';
import { createConfirmOwner, type ConfirmOwner } from './step-up/confirm-owner.ts';
import { RecentAuthentication } from './step-up/recent-authentication.ts';
import { signInOfferOf } from './ways-in/sign-in-offer.ts';
import { WaysIn } from './ways-in/ways-in.ts';

/** Dependencies of the wing. */
interface SignInDependencies extends Ground {
  readonly mail: Mail;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly owners: MailboxOwners;
  /** How providers are reached. */
  readonly callOutside: CallOutside;
}

/** Composes the wing: each part knows those above it. */
export function createSignIn(dependencies: SignInDependencies) {
  const { unscoped } = dependencies.database;
  const lockout = new Lockout(dependencies);
  const signInLimits = new SignInLimits({ ...dependencies, lockout });
  const passwords = new Passwords({ ...dependencies, lockout, signInLimits });
  const { providers, flows, identities } = createProviderGround(dependencies);
  const signInOffer = signInOfferOf(dependencies.config, providers);
  const { passkeys, passkeySignIn, passkeyFactor } = createPasskeyWing(dependencies);
  const added = { passkeys, identities };
  const waysIn = new WaysIn({ ...dependencies, ...added, passwords, isMailed: signInOffer.mailed });
  const confirmOwner = createConfirmOwner({ ...dependencies, passwords, waysIn });
  const factors = createFactors({ ...dependencies, passkeyFactor, confirmOwner });
  const { secondFactors, verification } = factors;
  const stepUp = new RecentAuthentication({ ...dependencies, passwords, secondFactors, waysIn });
  const known = { lockout, passwords, waysIn, ...factors, stepUp };
  const parts = { ...dependencies, ...known, signInLimits };
  const firstProofs = new FirstProofs(parts);
  const mailboxes = new Mailboxes({ ...parts, firstProofs });
  const isOn = { isOn: signInOffer.mailed, servesProviders: providers.size > 0 };
  const mailedSignIns = new MailedSignIns({ ...parts, mailboxes, flows, identities, ...isOn });
  const federated = { providers, flows, identities, mailboxes, mailedSignIns };
  return {
    signIns: new SignIns(parts),
    mailedSignIns,
    passkeys,
    passkeySignIn,
    providerSignIn: createProviderSignIn({ ...parts, ...federated }),
    waysIn,
    signInOffer,
    passwords,
    passwordChanges: new PasswordChanges({ ...parts, firstProofs }),
    secondFactors,
    verification,
    rebinding: new Rebinding(parts),
    stepUp,
    lockout,
    /** Deletes failures, devices and letters of an address that no longer belongs to the account: another account may get it. */
    async forgetAddress(tx: Transaction, email: string): Promise<void> {
      await lockout.forget(tx, email);
      await mailedSignIns.forgetAddress(tx, email);
    },
    background: {
      work: [passwords],
      sweeps: {
        signInFailures: () => sweepSignInFailures(unscoped),
        knownDevices: () => sweepKnownDevices(unscoped),
        challenges: () => sweepChallenges(unscoped),
        mailedSignIns: () => sweepMailedSignIns(unscoped),
        usedPasskeyChallenges: () => sweepUsedChallenges(unscoped),
        signInFlows: () => sweepFlows(unscoped),
      },
    },
  };
}

/** Signing in: from a claimed identity to a session. */
export type SignIn = ReturnType<typeof createSignIn>;

/** Second factors and step-up, with one shared judge. */
function createFactors(
  dependencies: SignInDependencies & {
    readonly passkeyFactor: PasskeyFactor;
    readonly confirmOwner: ConfirmOwner;
  },
) {
  const factors = { ...dependencies, repository: new SecondFactorsRepository() };
  const judging = { ...factors, notices: new Notices(factors) };
  const judge = new Judge(judging);
  const challenges = new Challenges(judging);
  return {
    challenges,
    secondFactors: new SecondFactors({ ...judging, judge }),
    verification: new Verification({ ...judging, judge, challenges }),
  };
}

/** What the routes of the wing are given. */
export interface SignInRoutesOptions extends SignIn, Pick<Ground, 'limits' | 'origins'> {
  readonly sessions: Pick<Sessions, 'refreshTokens' | 'renewals'>;
  readonly tokens: Pick<Tokens, 'csrfTokens'>;
  readonly access: SessionAccess;
}
