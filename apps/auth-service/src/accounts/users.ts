import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import type { Emails } from './emails.ts';
import { invalidInvitation } from '../organizations/invitations/invitations.errors.ts';
import type { Invitations } from '../organizations/invitations/invitations.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { PasswordChanges } from '../sign-in/methods/passwords/password-changes.ts';
import type { Passwords } from '../sign-in/methods/passwords/passwords.ts';
import type { Client } from '../ground/callers/client.ts';
import type { IssuedSession, Sessions } from '../sessions/sessions.ts';
import type { SessionUser } from '../sessions/session.ts';
import { requireDisplayable } from '../ground/text/display-name.ts';
import type { EvenTime } from '../ground/limits/even-time.ts';
import { isUserAlreadyExists } from './users.errors.ts';
import type { UsersRepository } from './users.repository.ts';

/** What the use cases of users need. */
export interface UsersDependencies {
  readonly repository: UsersRepository;
  readonly passwords: Passwords;
  readonly organizations: Pick<Organizations, 'personalFoundation' | 'found'>;
  readonly invitations: Pick<Invitations, 'open' | 'redeem'>;
  readonly sessions: Sessions;
  /** Whether an account that comes without an invitation comes with an organization. */
  readonly personalOrganizations: boolean;
  readonly emails: Pick<Emails, 'sendVerification'>;
  readonly passwordChanges: Pick<PasswordChanges, 'offerReset'>;
  /** Whether an address has to be confirmed before anyone signs in with it. */
  readonly emailVerificationRequired: boolean;
  readonly evenly: EvenTime;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** What a newcomer brings. */
export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** Of a mail to this very address, which it proves; the account begins in that organization. */
  readonly invitationToken?: string | undefined;
  readonly client: Client;
}

/** Accounts. */
export interface Users {
  /**
   * Makes an account, its place in an organization and its first session, all or nothing.
   *
   * Where addresses have to be confirmed the session waits for that, and nobody learns whether the address was taken:
   * its owner is mailed a way to set the password.
   */
  signUp(newcomer: SignUp): Promise<{ user: SessionUser; session: IssuedSession | undefined }>;
}

/** An account that is about to be made. */
interface Preparation {
  readonly user: SessionUser;
  readonly prepared: string;
  readonly beginning: Beginning;
  readonly client: Client;
}

/** The organization that an account begins in, and how it comes to it. */
interface Beginning {
  readonly organizationId?: string;
  readonly provesEmail: boolean;
  readonly enter: (tx: Transaction) => Promise<void>;
}

/** Makes the use cases of users. */
export function createUsers(dependencies: UsersDependencies): Users {
  const { repository, passwords, organizations, invitations, sessions, personalOrganizations, now, newId } =
    dependencies;

  function beginningOf(user: SessionUser, { invitationToken, client }: SignUp): Beginning {
    if (invitationToken !== undefined) {
      const key = invitations.open(invitationToken);
      const { organizationId } = key;
      const enter = async (tx: Transaction) => {
        await invitations.redeem(tx, { key, user, client });
      };
      return { organizationId, provesEmail: true, enter };
    }
    if (!personalOrganizations) return { provesEmail: false, enter: async () => undefined };
    const foundation = organizations.personalFoundation(user);
    return {
      organizationId: foundation.organization.id,
      provesEmail: false,
      enter: (tx) => organizations.found(tx, foundation, client),
    };
  }

  async function insert(tx: Transaction, { user, prepared, beginning }: Preparation): Promise<void> {
    const createdAt = now();
    const { id: userId, ...profile } = user;
    await repository.insert(tx, {
      ...user,
      createdAt,
      emailVerifiedAt: beginning.provesEmail ? createdAt : null,
    });
    await passwords.store(tx, userId, prepared);
    await recordEvent(tx, { type: 'user.created', userId, ...profile, createdAt });
    await beginning.enter(tx);
    if (!beginning.provesEmail) await dependencies.emails.sendVerification(tx, user);
  }

  const scopeOf = ({ user, beginning: { organizationId } }: Preparation) =>
    organizationId === undefined ? { userId: user.id } : { userId: user.id, organizationId };

  async function begin(preparation: Preparation): Promise<IssuedSession> {
    const { client } = preparation;
    const context = await repository.transaction(scopeOf(preparation), async (tx) => {
      await insert(tx, preparation);
      return sessions.start(tx, { client, factors: ['pwd'] });
    });
    return sessions.issue(context);
  }

  /** A made-up invitation must not tell whether the address is taken. */
  function beginInvited(preparation: Preparation): Promise<IssuedSession> {
    return begin(preparation).catch((error: unknown) => {
      throw isUserAlreadyExists(error) ? invalidInvitation() : error;
    });
  }

  /** Of an address that is taken, its owner alone learns. */
  async function beginUnconfirmed(preparation: Preparation): Promise<void> {
    try {
      await repository.transaction(scopeOf(preparation), (tx) => insert(tx, preparation));
    } catch (error) {
      if (!isUserAlreadyExists(error)) throw error;
      await dependencies.passwordChanges.offerReset(preparation.user.email);
    }
  }

  return {
    async signUp(newcomer) {
      const { email, password, name, client } = newcomer;
      requireDisplayable('name', name);
      const user = { id: newId(), email, name };
      const beginning = beginningOf(user, newcomer);
      const prepared = await passwords.prepare(password, user);
      const preparation = { user, prepared, beginning, client };
      if (!dependencies.emailVerificationRequired) return { user, session: await begin(preparation) };
      if (beginning.provesEmail) return { user, session: await beginInvited(preparation) };
      await dependencies.evenly(() => beginUnconfirmed(preparation));
      return { user, session: undefined };
    },
  };
}
