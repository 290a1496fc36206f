import { withoutSession, type UserTransaction } from '../database.ts';
import {
  clientMark,
  describeDevice,
  userActor,
  type Client,
  type Ground,
  type User,
} from '../ground/index.ts';
import type { Locale } from '../mail/index.ts';
import type { InvitationKey, OrganizationsWing } from '../organizations/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { UnannouncedSignUp, userAlreadyExists } from './accounts.errors.ts';
import { AccountsRepository } from './accounts.repository.ts';
import type { Emails } from './emails.ts';
import type { Erasure } from './erasure.ts';

interface NewAccountsDependencies extends Pick<Ground, 'config' | 'database' | 'now'> {
  readonly emails: Pick<Emails, 'sendVerification'>;
  readonly erasure: Pick<Erasure, 'eraseAwaiting'>;
  readonly organizations: Pick<OrganizationsWing, 'organizations' | 'invitations'>;
  readonly signIn: Pick<SignIn, 'passwords'>;
}

/** How a new account is created. */
interface Beginnings {
  readonly user: User;
  readonly client: Client;
  readonly locale: Locale;
  /** What its own organization is called, if somebody said so. */
  readonly organizationName?: string | undefined;
  /** The account is created in its organization, and the invitation proves its address. */
  readonly invitation: InvitationKey | undefined;
  /** Whether something other than an invitation has proven the address. */
  readonly isProven: boolean;
  /** What is stored of the password; undefined for an account without one. */
  readonly preparedPassword: string | undefined;
}

/** An account that is about to be created. */
export interface AccountPlan extends Beginnings {
  /** Its first organization. */
  readonly organizationId: string | undefined;
  readonly enter: (tx: UserTransaction) => Promise<void>;
}

/** Creates accounts with their first membership, for every sign-in method. */
export class NewAccounts {
  readonly #dependencies: NewAccountsDependencies;
  readonly #repository = new AccountsRepository();

  constructor(dependencies: NewAccountsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Chooses the first organization of an account: the one it is invited to, or one of its own. */
  plan(beginnings: Beginnings): AccountPlan {
    const { config, organizations: wing } = this.#dependencies;
    const { user, client, locale, organizationName, invitation: key } = beginnings;
    if (key !== undefined) {
      const enter = async (tx: UserTransaction) => {
        await wing.invitations.redeem(tx, { key, user, client });
      };
      return { ...beginnings, isProven: true, organizationId: key.organizationId, enter };
    }
    if (!config.PERSONAL_ORGANIZATIONS) {
      return { ...beginnings, organizationId: undefined, enter: async () => undefined };
    }
    const named = { organizationName, language: locale.language };
    const planned = wing.organizations.planPersonal(user, named);
    const place = { organizationId: planned.organization.id, userId: user.id };
    const enter = async (tx: UserTransaction) => {
      await tx.within(place, (inner) =>
        wing.organizations.insert(inner, { actor: userActor(user), client }, planned),
      );
    };
    return { ...beginnings, organizationId: planned.organization.id, enter };
  }

  /** Runs work in the scope of the account and of the organization it begins in, all or nothing. */
  inScopeOf<Result>(
    { user: { id: userId }, organizationId }: AccountPlan,
    work: (tx: UserTransaction) => Promise<Result>,
  ): Promise<Result> {
    const { database } = this.#dependencies;
    const place = organizationId === undefined ? { userId } : { userId, organizationId };
    return withoutSession('sign-up', database.within(place), work);
  }

  /**
   * Checks before locking the address: a session of its account may be waiting for the transaction's locks.
   *
   * @throws USER_ALREADY_EXISTS
   */
  async requireFree(tx: UserTransaction, { user }: AccountPlan): Promise<void> {
    if (await this.#repository.isSettled(tx, user.email)) throw userAlreadyExists();
  }

  /** @throws USER_ALREADY_EXISTS; {@link UnannouncedSignUp} */
  async insert(tx: UserTransaction, plan: AccountPlan): Promise<void> {
    const { config, emails, signIn, now } = this.#dependencies;
    const { user, client, locale, isProven, preparedPassword } = plan;
    const mustConfirm = config.REQUIRE_EMAIL_VERIFICATION;
    const replaced = mustConfirm && (await this.replaceAwaiting(tx, user.email, client));
    const createdAt = now();
    const createdOn = clientMark(user.id, client);
    await this.#repository.insert(tx, {
      ...user,
      ...locale,
      createdAt,
      createdOn,
      emailVerifiedAt: isProven ? createdAt : null,
      awaitsConfirmation: mustConfirm && !isProven,
    });
    if (preparedPassword !== undefined) {
      await signIn.passwords.store(tx, user.id, { prepared: preparedPassword, setOn: createdOn });
    }
    await plan.enter(tx);
    if (isProven) return;
    const details = { at: createdAt.toISOString(), ...describeDevice(client.userAgent) };
    const isAnnounced = await emails.sendVerification(tx, user, replaced ? { replaces: details } : {});
    // Strangers can use up the letters of an address: the last link that its owner was sent goes on working.
    if (replaced && !isAnnounced) throw new UnannouncedSignUp();
  }

  /** Deletes an account that waits for the address to be confirmed: of several concurrent sign-ups, the last one wins. @returns whether there was one */
  async replaceAwaiting(tx: UserTransaction, email: string, client: Client): Promise<boolean> {
    await this.#repository.lockAddress(tx, email);
    return this.#dependencies.erasure.eraseAwaiting(tx, email, client);
  }
}
