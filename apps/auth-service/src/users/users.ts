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
  readonly organizations: Organizations;
  readonly sessions: Sessions;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** What a newcomer brings. */
export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly client: Client;
}

/** Accounts. */
export interface Users {
  /** Makes an account, its personal organization and its first session, all or nothing. */
  signUp(newcomer: SignUp): Promise<{ user: SessionUser; session: IssuedSession }>;
}

/** Makes the use cases of users. */
export function createUsers(dependencies: UsersDependencies): Users {
  const { repository, passwords, organizations, sessions, now, newId } = dependencies;

  return {
    async signUp({ email, password, name, client }) {
      requireDisplayable('name', name);
      const user = { id: newId(), email, name };
      const prepared = await passwords.prepare(password, user);
      const foundation = organizations.personalFoundation(user);

      const context = await organizations.transaction(foundation, async (tx) => {
        await repository.insert(tx, { ...user, createdAt: now() });
        await passwords.store(tx, user.id, prepared);
        await organizations.found(tx, foundation);
        return sessions.start(tx, { client, factors: ['pwd'] });
      });
      return { user, session: await sessions.issue(context) };
    },
  };
}
