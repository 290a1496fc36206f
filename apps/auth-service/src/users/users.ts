import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import type { Invitations } from '../invitations/invitations.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Client } from '../sessions/client.ts';
import type { IssuedSession, Sessions } from '../sessions/sessions.ts';
import type { SessionUser } from '../sessions/session.ts';
import { requireDisplayable } from '../text/display-name.ts';
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
  /** Makes an account, its place in an organization and its first session, all or nothing. */
  signUp(newcomer: SignUp): Promise<{ user: SessionUser; session: IssuedSession }>;
}

/** The organization that an account begins in, and how it comes to it. */
interface Beginning {
  readonly organizationId?: string;
  readonly provesEmail: boolean;
  enter(tx: Transaction): Promise<void>;
}

/** Makes the use cases of users. */
export function createUsers(dependencies: UsersDependencies): Users {
  const { repository, passwords, organizations, invitations, sessions, personalOrganizations, now, newId } =
    dependencies;

  function beginningOf(user: SessionUser, { invitationToken, client }: SignUp): Beginning {
    if (invitationToken !== undefined) {
      const key = invitations.open(invitationToken);
      const { organizationId } = key;
      const enter = async (tx: Transaction) => void (await invitations.redeem(tx, { key, user, client }));
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

  return {
    async signUp(newcomer) {
      const { email, password, name, client } = newcomer;
      requireDisplayable('name', name);
      const user = { id: newId(), email, name };
      const { provesEmail, enter, ...place } = beginningOf(user, newcomer);
      const prepared = await passwords.prepare(password, user);

      const context = await repository.transaction({ userId: user.id, ...place }, async (tx) => {
        const createdAt = now();
        await repository.insert(tx, { ...user, createdAt, emailVerifiedAt: provesEmail ? createdAt : null });
        await passwords.store(tx, user.id, prepared);
        await recordEvent(tx, { type: 'user.created', userId: user.id, email, name, createdAt });
        await enter(tx);
        return sessions.start(tx, { client, factors: ['pwd'] });
      });
      return { user, session: await sessions.issue(context) };
    },
  };
}
