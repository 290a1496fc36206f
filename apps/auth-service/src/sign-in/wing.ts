import type { Transaction, Unscoped } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { SessionAccess, Sessions } from '../sessions/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { CallOutside } from '@tenantry/service/calls';
import { FirstProofs } from './first-proof.ts';
import { sweepKnownDevices, sweepSignInFailures } from './lockout/lockout.repository.ts';
import { Lockout } from './lockout/lockout.ts';
import { Mailboxes } from './mailboxes.ts';
import type { Newcomers, OrganizationsAtFirstProof } from './newcomers.ts';
import { MailedSignInsRepository, sweepMailedSignIns } from './methods/mailed/mailed-sign-ins.repository.ts';
import { MailedSignIns } from './methods/mailed/mailed-sign-ins.ts';
import { PasskeyAnswers } from './methods/passkeys/passkey-answers.ts';
import { PasskeyFactor } from './methods/passkeys/passkey-factor.ts';
import { PasskeySignIn } from './methods/passkeys/passkey-sign-in.ts';
import { sweepUsedChallenges } from './methods/passkeys/used-challenges.repository.ts';
import { Passkeys } from './methods/passkeys/passkeys.ts';
import { Passwords } from './methods/passwords/passwords.ts';
import { sweepFlows } from './flows/flows.repository.ts';
import { Flows } from './flows/flows.ts';
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
import { Verification } from './verification/verification.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { SignIns } from './sign-in.ts';
import { createConfirmOwner } from './step-up/confirm-owner.ts';
import { RecentAuthentication } from './step-up/recent-authentication.ts';
import { EndedWays } from './ways-in/ended-ways.ts';
import { WaysIn } from './ways-in/ways-in.ts';

/** Dependencies of the wing. */
interface SignInDependencies extends Ground {
  readonly mail: Mail;
  readonly sessions: Sessions;
  readonly organizations: OrganizationsAtFirstProof;
  /** How providers are reached. */
  readonly callOutside: CallOutside;
}

/** Composes the wing: each part is given those above it. @throws ConfigError for a passkey domain or a provider that cannot be used */
export function createSignIn({ mail, sessions, organizations, callOutside, ...ground }: SignInDependencies) {
  const { config, database } = ground;
  const lockout = new Lockout(ground);
  const signInLimits = new SignInLimits({ ...ground, lockout, mail });
  const passwords = new Passwords({ ...ground, lockout, signInLimits, mail });
  const answers = new PasskeyAnswers({ ...ground, mail });
  const passkeyFactor = new PasskeyFactor({ answers });
  const providers = providersOf(config, callOutside);
  const flows = new Flows({ ...ground, sessions });
  const identities = new Identities({ ...ground, providers, mail });
  const signInIdentities = new SignInIdentities({ flows, identities });
  const letters = new MailedSignInsRepository();
  // For the sign-in page: every way but the password is off until it is configured.
  const signInOffer = {
    signUp: config.SIGN_UP,
    password: true,
    mailed: config.MAILED_SIGN_IN,
    passkeys: config.PASSKEY_RP_ID !== undefined,
    providers: [...providers.values()].map(({ id, name }) => ({ id, name })),
  };

  const waysIn = new WaysIn({
    ...ground,
    isMailed: signInOffer.mailed,
    passwords,
    passkeys: answers,
    identities,
    mail,
  });
  const endedWays = new EndedWays({ lockout, letters, sessions });
  const confirmOwner = createConfirmOwner({ ...ground, passwords, waysIn });
  const notices = new Notices({ mail, answers });
  const judge = new Judge({ ...ground, passkeyFactor });
  const challenges = new Challenges({ ...ground, passkeyFactor });
  const secondFactors = new SecondFactors({
    ...ground,
    passkeyFactor,
    judge,
    notices,
    confirmOwner,
    sessions,
    endedWays,
  });
  const verification = new Verification({
    ...ground,
    challenges,
    passkeyFactor,
    passwords,
    waysIn,
    secondFactors,
    judge,
    notices,
    sessions,
  });
  const stepUp = new RecentAuthentication({ ...ground, secondFactors, passwords, waysIn });

  const firstProofs = new FirstProofs({
    ...ground,
    lockout,
    passwords,
    secondFactors,
    waysIn,
    sessions,
    mail,
    organizations,
  });
  const providerVisits = new ProviderVisits({ ...ground, providers, flows });
  const passkeySignIn = new PasskeySignIn({ ...ground, answers, signInLimits, mail });
  const signIns = new SignIns({
    ...ground,
    lockout,
    challenges,
    verification,
    signInIdentities,
    sessions,
  });

  return {
    flows,
    signIns,
    signInLimits,
    passkeys: new Passkeys({ ...ground, answers, mail, sessions, secondFactors, endedWays, waysIn }),
    passkeySignIn,
    providers,
    providerVisits,
    identities,
    signInIdentities,
    identityLinks: new IdentityLinks({ ...ground, flows, identities, sessions, endedWays, waysIn }),
    waysIn,
    signInOffer,
    passwords,
    passwordChanges: new PasswordChanges({
      ...ground,
      passwords,
      lockout,
      firstProofs,
      stepUp,
      sessions,
      endedWays,
      waysIn,
      mail,
    }),
    secondFactors,
    verification,
    rebinding: new Rebinding({ ...ground, passwords, verification, sessions }),
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

/** Dependencies of {@link createMailboxMethods}. */
interface MailboxMethodsDependencies extends Ground {
  readonly mail: Mail;
  readonly signIn: SignIn;
  readonly newcomers: Newcomers;
}

/** Composes the methods that prove a mailbox, which may have no account yet. */
export function createMailboxMethods({ mail, signIn, newcomers, ...ground }: MailboxMethodsDependencies) {
  const { firstProofs, flows, identities, lockout, providers, signInIdentities, signInLimits } = signIn;
  const mailboxes = new Mailboxes({ ...ground, firstProofs, mail, newcomers });
  const mailedSignIns = new MailedSignIns({
    ...ground,
    isOn: signIn.signInOffer.mailed,
    servesProviders: providers.size > 0,
    lockout,
    signInLimits,
    mailboxes,
    flows,
    signInIdentities,
    mail,
    newcomers,
  });
  const providerSignIns = new ProviderSignIns({
    ...ground,
    flows,
    identities,
    signInIdentities,
    mailboxes,
    signInLimits,
    mailedSignIns,
    mail,
    newcomers,
  });
  return { mailedSignIns, providerSignIns };
}

/** Signing in by a proof of a mailbox. */
export type MailboxMethods = ReturnType<typeof createMailboxMethods>;

/** What the routes of the wing are given. */
export interface SignInRoutesOptions extends SignIn, MailboxMethods, Pick<Ground, 'limits' | 'origins'> {
  readonly sessions: Pick<Sessions, 'refresh' | 'refreshTokens'>;
  readonly tokens: Pick<Tokens, 'csrfTokens'>;
  readonly access: SessionAccess;
}
