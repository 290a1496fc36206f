import type { Transaction } from '../database.ts';
import type { Background, Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { StepUpRequirement, Sessions } from '../sessions/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { CallOutside } from '@tenantry/service-kit';
import { FirstProofs } from './first-proof.ts';
import { Lockout } from './lockout/lockout.ts';
import { Mailboxes } from './mailboxes.ts';
import type { MailboxOwners } from './newcomers.ts';
import { MailedSignIns } from './methods/mailed/mailed-sign-ins.ts';
import { createPasskeyWing, type PasskeyWing } from './methods/passkeys/wing.ts';
import { Passwords } from './methods/passwords/passwords.ts';
import { createProviderGround, createProviderSignIn, type ProviderSignIn } from './methods/providers/wing.ts';
import { PasswordChanges } from './password-changes/password-changes.ts';
import { Rebinding } from './rebinding/rebinding.ts';
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
import { signInOfferOf, type SignInOffer } from './ways-in/sign-in-offer.ts';
import { WaysIn } from './ways-in/ways-in.ts';

/** Signing in: from a claimed identity to a session. */
export interface SignIn extends Pick<PasskeyWing, 'passkeys' | 'passkeySignIn'> {
  readonly signIns: SignIns;
  readonly mailedSignIns: MailedSignIns;
  readonly providerSignIn: ProviderSignIn;
  readonly waysIn: WaysIn;
  readonly signInOffer: SignInOffer;
  readonly passwords: Passwords;
  readonly passwordChanges: PasswordChanges;
  readonly secondFactors: SecondFactors;
  readonly verification: Verification;
  readonly rebinding: Rebinding;
  readonly stepUp: StepUpRequirement;
  readonly lockout: Lockout;
  /** Deletes failures, devices and letters of an address that no longer belongs to the account: another account may get it. */
  forgetAddress(tx: Transaction, email: string): Promise<void>;
  readonly background: Background;
}

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
export function createSignIn(dependencies: SignInDependencies): SignIn {
  const lockout = new Lockout(dependencies);
  const signInLimits = new SignInLimits({ ...dependencies, lockout });
  const passwords = new Passwords({ ...dependencies, lockout, signInLimits });
  const { providers, flows, identities, pendingLinks } = createProviderGround(dependencies);
  const signInOffer = signInOfferOf(dependencies.config, providers);
  const { passkeys, passkeySignIn, passkeyFactor, sweepUsed } = createPasskeyWing(dependencies);
  const added = { passkeys, identities };
  const waysIn = new WaysIn({ ...dependencies, ...added, passwords, isMailed: signInOffer.mailed });
  const confirmOwner = createConfirmOwner({ ...dependencies, passwords, waysIn });
  const factors = createFactors({ ...dependencies, passkeyFactor, confirmOwner });
  const { challenges, secondFactors, verification } = factors;
  const stepUp = new RecentAuthentication({ ...dependencies, passwords, secondFactors, waysIn });
  const known = { lockout, passwords, waysIn, ...factors, stepUp };
  const parts = { ...dependencies, ...known, signInLimits };
  const firstProofs = new FirstProofs(parts);
  const mailboxes = new Mailboxes({ ...parts, firstProofs });
  const isOn = { isOn: signInOffer.mailed, servesProviders: providers.size > 0 };
  const mailedSignIns = new MailedSignIns({ ...parts, mailboxes, pendingLinks, ...isOn });
  const federated = { providers, flows, identities, pendingLinks, mailboxes, mailedSignIns };
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
    async forgetAddress(tx, email) {
      await lockout.forget(tx, email);
      await mailedSignIns.forgetAddress(tx, email);
    },
    background: {
      work: [passwords],
      sweeps: {
        signInFailures: () => lockout.sweepCounters(),
        knownDevices: () => lockout.sweepDevices(),
        challenges: () => challenges.sweep(),
        mailedSignIns: () => mailedSignIns.sweep(),
        usedPasskeyChallenges: sweepUsed,
        signInFlows: () => flows.sweep(),
      },
    },
  };
}

/** Second factors and step-up, with one shared judge. */
function createFactors(
  dependencies: SignInDependencies &
    Pick<PasskeyWing, 'passkeyFactor'> & { readonly confirmOwner: ConfirmOwner },
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
