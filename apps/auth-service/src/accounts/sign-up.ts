import type { ErrorDetail } from '@tenantry/envelope';
import type { Static } from 'typebox';
import {
  addressKeyOf,
  tidyLanguage,
  tidyTimeZone,
  type Client,
  type Ground,
  type User,
} from '../ground/index.ts';
import { invalidInvitation, isInvalidInvitation, type OrganizationsWing } from '../organizations/index.ts';
import { wholeRenewal, type IssuedSession, type Sessions } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { isUserAlreadyExists, signUpClosed, UnannouncedSignUp } from './accounts.errors.ts';
import type { SignUpBody } from './accounts.schemas.ts';
import type { Locale } from '../mail/index.ts';
import type { AccountPlan, NewAccounts } from './new-accounts.ts';

interface SignUpDependencies extends Ground {
  readonly newAccounts: NewAccounts;
  readonly sessions: Pick<Sessions, 'tokens'>;
  readonly organizations: Pick<OrganizationsWing, 'invitations'>;
  readonly signIn: Pick<SignIn, 'signIns' | 'passwords' | 'passwordChanges'>;
}

/**
 * The input of a sign-up. An invitation was mailed to its address, which it proves, and the account is created in its
 * organization. Letters are written in its language from the first one.
 */
type Newcomer = Static<typeof SignUpBody> & { readonly client: Client };

/** An account that was created, and its first session; undefined if the address has to be confirmed first. */
interface SignedUp {
  readonly user: User;
  readonly session: IssuedSession | undefined;
}

/** Accounts with a password, which people create for themselves. */
export class SignUps {
  readonly #dependencies: SignUpDependencies;

  constructor(dependencies: SignUpDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates an account, its place in an organization and its first session, all or nothing.
   *
   * If addresses have to be confirmed, there is no session until then, and the response does not reveal whether the address was
   * taken: its owner is mailed a link to set the password. A sign-up replaces an unconfirmed account, its letters and password
   * included, so that the mailbox can only confirm the latest sign-up that a letter could tell it of.
   */
  async signUp(newcomer: Newcomer): Promise<SignedUp> {
    const { config, limits, newAccounts, organizations, signIn, newId } = this.#dependencies;
    const { passwords } = signIn;
    const { email, password, name, organizationName, invitationToken: token, client } = newcomer;
    if (config.SIGN_UP === 'invited' && token === undefined) throw signUpClosed();
    const user = { id: newId(), email, name };
    const locale = localeOf(newcomer);
    const invitation = token === undefined ? undefined : organizations.invitations.open(token);
    const accepted = passwords.accept(password, user);
    const address = addressKeyOf(client);
    return limits.signUps.run([address], async (counted) => {
      const reason = { asking: { address, account: email }, counted };
      const preparedPassword = await passwords.prepare(accepted, reason);
      const begun = { user, client, locale, organizationName, invitation, isProven: false };
      const beginnings = { ...begun, preparedPassword };
      return { user, session: await this.#create(newAccounts.plan(beginnings)) };
    });
  }

  /** The findings about the password of a sign-up that the schema refuses for another field. */
  findingsOf(body: unknown): ErrorDetail[] {
    const { email, password, name } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof password !== 'string' || password === '') return [];
    const { passwords } = this.#dependencies.signIn;
    const finding = passwords.findingOf(password, { email: textOf(email), name: textOf(name) });
    return finding ? [finding] : [];
  }

  async #create(plan: AccountPlan): Promise<IssuedSession | undefined> {
    const { config, inFixedSteps } = this.#dependencies;
    if (!config.REQUIRE_EMAIL_VERIFICATION) return this.#begin(plan);
    if (plan.isProven) return inFixedSteps(() => this.#beginInvited(plan));
    await inFixedSteps(() => this.#beginUnconfirmed(plan));
    return undefined;
  }

  async #begin(plan: AccountPlan): Promise<IssuedSession> {
    const { newAccounts, signIn, sessions } = this.#dependencies;
    const started = await newAccounts.inScopeOf(plan, async (tx) => {
      await newAccounts.insert(tx, plan);
      return signIn.signIns.begin(tx, { client: plan.client, amr: ['pwd'], acr: 'aal1' });
    });
    return sessions.tokens.issue(started, wholeRenewal);
  }

  /** A made-up invitation must not reveal whether the address is taken. */
  async #beginInvited(plan: AccountPlan): Promise<IssuedSession> {
    try {
      return await this.#begin(plan);
    } catch (error) {
      // Nor may a real one that cannot be used: it is checked only if the address is free.
      throw isUserAlreadyExists(error) || isInvalidInvitation(error) ? invalidInvitation() : error;
    }
  }

  /** Only its owner learns that an address is taken. */
  async #beginUnconfirmed(plan: AccountPlan): Promise<void> {
    const { newAccounts, signIn } = this.#dependencies;
    try {
      await newAccounts.inScopeOf(plan, (tx) => newAccounts.insert(tx, plan));
    } catch (error) {
      if (error instanceof UnannouncedSignUp) return;
      if (!isUserAlreadyExists(error)) throw error;
      await signIn.passwordChanges.offerReset({ email: plan.user.email, client: plan.client });
    }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** In the form that profiles store. @throws VALIDATION_ERROR naming the field */
const localeOf = ({ language, timeZone }: Newcomer): Locale => ({
  language: language ? tidyLanguage(language, 'language') : null,
  timeZone: timeZone ? tidyTimeZone(timeZone, 'timeZone') : null,
});
