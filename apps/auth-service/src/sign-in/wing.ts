import type { Transaction, Unscoped } from '../database.ts';
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
import { MailedSignInsRepository, sweepMailedSignIns } from './methods/mailed/mailed-sign-ins.repository.ts';
import { MailedSignIns } from './methods/mailed/mailed-sign-ins.ts';
import { PasskeyAnswers } from './methods/passkeys/passkey-answers.ts';
import { PasskeyFactor } from './methods/passkeys/passkey-factor.ts';
import { PasskeySignIn } from './methods/passkeys/passkey-sign-in.ts';
import { sweepUsedChallenges } from './methods/passkeys/used-challenges.repository.ts';
import { Passkeys } from './methods/passkeys/passkeys.ts';
import { Passwords } from './methods/passwords/passwords.ts';
import { sweepFlows } from './methods/providers/flows.repository.ts';
import { Flows } from './methods/providers/flows.ts';
import { Identities } from './methods/providers/identities.ts';
import { IdentityLinks } from './methods/providers/identity-links.ts';
import { providersOf } from './methods/providers/provider-clients.ts';
import { ProviderSignIns } from './methods/providers/provider-sign-ins.ts';
import { SignInIdentities } from './methods/providers/sign-in-identities.ts';
import { ProviderVisits } from './methods/providers/provider-visits.ts';
import { PasswordChanges } from './password-changes/password-changes.ts';
import { Rebinding } from './rebinding/rebinding.ts';
import { sweepChallenges } from './second-factors/challenges.repository.ts';
import { Challenges } from './second-factors/challenges.ts';
import { Judge } from './second-factors/judging.ts';
import { Notices } from './second-factors/notices.ts';
import { SecondFactors } from './second-factors/second-factors.ts';
import { Verification } from './second-factors/verification.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { SignIns } from './sign-in.ts';
import { createConfirmOwner, type ConfirmOwner } from './step-up/confirm-owner.ts';
import { RecentAuthentication } from './step-up/recent-authentication.ts';
import { EndedWays } from './ways-in/ended-ways.ts';
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

/** Composes the wing: each part knows those above it. @throws ConfigError for a passkey domain or a provider that cannot be used */
export function createSignIn(dependencies: SignInDependencies) {
  const { config, database, callOutside } = dependencies;
  const lockout = new Lockout(dependencies);
  const signInLimits = new SignInLimits({ ...dependencies, lockout });
  const passwords = new Passwords({ ...dependencies, lockout, signInLimits });
  const providers = providersOf(config, callOutside);
  const flows = new Flows(dependencies);
  const identities = new Identities({ ...dependencies, providers });
  // For the sign-in page: every way but the password is off until it is configured.
  const signInOffer = {
    signUp: config.SIGN_UP,
    password: true,
    mailed: config.MAILED_SIGN_IN,
    passkeys: config.PASSKEY_RP_ID !== undefined,
    providers: [...providers.values()].map(({ id, name }) => ({ id, name })),
  };
  const answers = new PasskeyAnswers(dependencies);
  const passkeyFactor = new PasskeyFactor({ answers });
  const added = { passkeys: answers, identities };
  const waysIn = new WaysIn({ ...dependencies, ...added, passwords, isMailed: signInOffer.mailed });
  const confirmOwner = createConfirmOwner({ ...dependencies, passwords, waysIn });
  const letters = new MailedSignInsRepository();
  const endedWays = new EndedWays({ ...dependencies, lockout, letters });
  const ways = { waysIn, endedWays, confirmOwner };
  const factors = createFactors({ ...dependencies, ...ways, answers, passkeyFactor, passwords });
  const { secondFactors, verification } = factors;
  const stepUp = new RecentAuthentication({ ...dependencies, passwords, secondFactors, waysIn });
  const known = { lockout, passwords, waysIn, endedWays, ...factors, stepUp };
  const signInIdentities = new SignInIdentities({ flows, identities });
  const parts = { ...dependencies, ...known, signInLimits, signInIdentities };
  const firstProofs = new FirstProofs(parts);
  const mailboxes = new Mailboxes({ ...parts, firstProofs });
  const isOn = { isOn: signInOffer.mailed, servesProviders: providers.size > 0 };
  const mailedSignIns = new MailedSignIns({ ...parts, mailboxes, flows, ...isOn });
  const federated = { ...parts, providers, flows, identities, mailboxes, mailedSignIns };
  return {
    signIns: new SignIns(parts),
    signInLimits,
    mailedSignIns,
    passkeys: new Passkeys({ ...parts, answers }),
    passkeySignIn: new PasskeySignIn({ ...parts, answers }),
    providerVisits: new ProviderVisits(federated),
    providerSignIns: new ProviderSignIns(federated),
    identityLinks: new IdentityLinks(federated),
    waysIn,
    signInOffer,
    passwords,
    passwordChanges: new PasswordChanges({ ...parts, firstProofs }),
    secondFactors,
    verification,
    rebinding: new Rebinding(parts),
    stepUp,
    lockout,
    firstProofs,
    endedWays,
    /** Deletes failures, devices and letters of an address that no longer belongs to the account: another account may get it. */
    async forgetAddress(tx: Transaction, email: string): Promise<void> {
      await lockout.forget(tx, email);
      await letters.forgetAddress(tx, email);
    },
    background: { work: [passwords], sweeps: sweepsOf(database.unscoped) },
  };
}

/** Signing in: from a claimed identity to a session. */
export type SignIn = ReturnType<typeof createSignIn>;

const sweepsOf = (rows: Unscoped) => ({
  signInFailures: () => sweepSignInFailures(rows),
  knownDevices: () => sweepKnownDevices(rows),
  challenges: () => sweepChallenges(rows),
  mailedSignIns: () => sweepMailedSignIns(rows),
  usedPasskeyChallenges: () => sweepUsedChallenges(rows),
  signInFlows: () => sweepFlows(rows),
});

/** Second factors and step-up, with one shared judge. */
function createFactors(
  dependencies: SignInDependencies & {
    readonly answers: PasskeyAnswers;
    readonly passkeyFactor: PasskeyFactor;
    readonly passwords: Passwords;
    readonly waysIn: WaysIn;
    readonly endedWays: EndedWays;
    readonly confirmOwner: ConfirmOwner;
  },
) {
  const judging = { ...dependencies, notices: new Notices(dependencies) };
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
  readonly sessions: Pick<Sessions, 'refresh' | 'refreshTokens'>;
  readonly tokens: Pick<Tokens, 'csrfTokens'>;
  readonly access: SessionAccess;
}
