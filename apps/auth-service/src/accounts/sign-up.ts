import type { ErrorDetail } from '@tenantry/envelope';
import { addressKey } from '@tenantry/service-kit';
import type { Transaction } from '../database.ts';
import { tidyLanguage, tidyTimeZone, type Client, type Ground, type User } from '../ground/index.ts';
import { invalidInvitation, isInvalidInvitation, type OrganizationsWing } from '../organizations/index.ts';
import { describeDevice, wholeRenewal, type IssuedSession } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { isUserAlreadyExists, signUpClosed } from './accounts.errors.ts';
import { createAccountsRepository, type NewAccount } from './accounts.repository.ts';
import type { Emails } from './emails.ts';
import type { Erasure } from './erasure.ts';

/** What signing up needs. */
export interface SignUpDependencies extends Ground {
  readonly emails: Pick<Emails, 'sendVerification'>;
  readonly erasure: Pick<Erasure, 'eraseAwaiting'>;
  readonly organizations: Pick<OrganizationsWing, 'organizations' | 'invitations'>;
  readonly signIn: Pick<SignIn, 'signIns' | 'passwords' | 'passwordChanges'>;
  readonly tokens: Pick<Tokens, 'issue'>;
}

/** What a newcomer brings. */
export interface Newcomer {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** Mailed to this very address, which it proves; the account begins in its organization. */
  readonly invitationToken?: string | undefined;
  /** BCP 47: letters are written in it from the first one. */
  readonly language?: string | null | undefined;
  /** IANA. */
  readonly timeZone?: string | null | undefined;
  readonly client: Client;
}

/** An account that was created, and its first session. */
export interface SignedUp {
  readonly user: User;
  /** Undefined where the address has to be confirmed first. */
  readonly session: IssuedSession | undefined;
}

/**
 * Creates an account, its place in an organization and its first session, all or nothing.
 *
 * Where addresses have to be confirmed the session waits for that, and nobody learns whether the address was taken: its
 * owner is mailed a way to set the password. An account that still waits is replaced with all that it had, its letters
 * and password included: whoever reads the mailbox confirms the latest sign-up and no earlier one.
 */
export type SignUp = (newcomer: Newcomer) => Promise<SignedUp>;

/** What is wrong with the password of a newcomer of whom the schema has refused something else. */
export type JudgeNewcomer = (body: unknown) => ErrorDetail[];

/** Makes {@link JudgeNewcomer}. */
export function createJudgeNewcomer({ findingOf }: Pick<SignIn['passwords'], 'findingOf'>): JudgeNewcomer {
  return (body) => {
    const { email, password, name } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof password !== 'string' || password === '') return [];
    const finding = findingOf(password, { email: textOf(email), name: textOf(name) });
    return finding ? [finding] : [];
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The organization that an account begins in, and how it gets there. */
interface FirstOrganization {
  readonly organizationId?: string;
  readonly provesEmail: boolean;
  readonly enter: (tx: Transaction) => Promise<void>;
}

type Locale = Pick<NewAccount, 'language' | 'timeZone'>;

/** As profiles keep them. @throws VALIDATION_ERROR naming the field */
const localeOf = ({ language, timeZone }: Newcomer): Locale => ({
  language: language ? tidyLanguage(language, 'language') : null,
  timeZone: timeZone ? tidyTimeZone(timeZone, 'timeZone') : null,
});

/** An account that is about to be created. */
interface Plan {
  readonly user: User;
  readonly preparedPassword: string;
  readonly first: FirstOrganization;
  readonly locale: Locale;
  readonly client: Client;
}

/** Makes {@link SignUp}. */
export function createSignUp(dependencies: SignUpDependencies): SignUp {
  const { config, database, limits, emails, erasure, tokens, inFixedSteps, now, newId } = dependencies;
  const { organizations, invitations } = dependencies.organizations;
  const { signIns, passwords, passwordChanges } = dependencies.signIn;
  const repository = createAccountsRepository();

  function firstOrganizationOf(user: User, { invitationToken, client }: Newcomer): FirstOrganization {
    if (invitationToken !== undefined) {
      const key = invitations.open(invitationToken);
      const enter = async (tx: Transaction) => {
        await invitations.redeem(tx, { key, user, client });
      };
      return { organizationId: key.organizationId, provesEmail: true, enter };
    }
    if (!config.PERSONAL_ORGANIZATIONS) return { provesEmail: false, enter: async () => undefined };
    const planned = organizations.planPersonal(user);
    return {
      organizationId: planned.organization.id,
      provesEmail: false,
      enter: (tx) => organizations.insert(tx, planned, client),
    };
  }

  const mustConfirm = config.REQUIRE_EMAIL_VERIFICATION;

  /** Of several sign-ups at once, the last one stays. */
  async function replaceAwaiting(tx: Transaction, email: string, client: Client): Promise<boolean> {
    await repository.lockAddress(tx, email);
    return erasure.eraseAwaiting(tx, email, client);
  }

  async function insert(tx: Transaction, plan: Plan): Promise<void> {
    const { user, preparedPassword, first, locale, client } = plan;
    const replaced = mustConfirm && (await replaceAwaiting(tx, user.email, client));
    const createdAt = now();
    const { id: userId } = user;
    await repository.insert(tx, {
      ...user,
      ...locale,
      createdAt,
      emailVerifiedAt: first.provesEmail ? createdAt : null,
      awaitsConfirmation: mustConfirm && !first.provesEmail,
    });
    await passwords.store(tx, userId, preparedPassword);
    await first.enter(tx);
    if (first.provesEmail) return;
    const details = { at: createdAt.toISOString(), ...describeDevice(client.userAgent) };
    await emails.sendVerification(tx, user, replaced ? { replaces: details } : {});
  }

  function scopeOf({ user: { id: userId }, first: { organizationId } }: Plan) {
    return database.within(organizationId === undefined ? { userId } : { userId, organizationId });
  }

  async function begin(plan: Plan): Promise<IssuedSession> {
    const started = await scopeOf(plan).transaction(async (tx) => {
      await insert(tx, plan);
      return signIns.begin(tx, { client: plan.client, amr: ['pwd'], acr: 'aal1' });
    });
    return tokens.issue(started, wholeRenewal);
  }

  /** A made-up invitation must not reveal whether the address is taken. */
  async function beginInvited(plan: Plan): Promise<IssuedSession> {
    try {
      return await begin(plan);
    } catch (error) {
      // Not even why a real one cannot be used: it is asked only where the address is free.
      throw isUserAlreadyExists(error) || isInvalidInvitation(error) ? invalidInvitation() : error;
    }
  }

  /** That an address is taken, its owner alone learns. */
  async function beginUnconfirmed(plan: Plan): Promise<void> {
    try {
      await scopeOf(plan).transaction((tx) => insert(tx, plan));
    } catch (error) {
      if (!isUserAlreadyExists(error)) throw error;
      await passwordChanges.offerReset({ email: plan.user.email, client: plan.client });
    }
  }

  async function createAccount(plan: Plan): Promise<IssuedSession | undefined> {
    if (!mustConfirm) return begin(plan);
    if (plan.first.provesEmail) return beginInvited(plan);
    await inFixedSteps(() => beginUnconfirmed(plan));
    return undefined;
  }

  return async (newcomer) => {
    const { email, password, name, client } = newcomer;
    if (config.SIGN_UP === 'invited' && newcomer.invitationToken === undefined) throw signUpClosed();
    const user = { id: newId(), email, name };
    const locale = localeOf(newcomer);
    const first = firstOrganizationOf(user, newcomer);
    passwords.requireAcceptable(password, user);
    const address = addressKey(client.ipAddress ?? '');
    return limits.signUps.run([address], async (counted) => {
      const reason = { asking: { address, account: email }, counted };
      const preparedPassword = await passwords.prepare({ password, owner: user, reason });
      return { user, session: await createAccount({ user, preparedPassword, first, locale, client }) };
    });
  };
}
