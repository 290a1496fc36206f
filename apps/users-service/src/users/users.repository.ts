import type { Member } from '@tenantry/service/events';
import { pageOf, suggestionsText, type Page } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import { divideName } from './names.ts';
import type { Profile, User, UserListQuery } from './user.ts';
import { queryUserPage } from './user-page.repository.ts';

const profileById = statement({
  name: 'user-by-id',
  text: `
    SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", name,
      family_name AS "familyName", disabled, role, version, created_at AS "createdAt"
    FROM profiles WHERE organization_id = $1 AND user_id = $2`,
});

// An event that changes nothing leaves the row and its version as they are.
const keepProfile = statement({
  name: 'user-keep',
  text: `
    INSERT INTO profiles (organization_id, user_id, email, name, family_name, first_name, last_name, created_at,
      disabled, role)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (organization_id, user_id) DO UPDATE SET email = excluded.email, name = excluded.name,
      family_name = excluded.family_name, first_name = excluded.first_name, last_name = excluded.last_name,
      created_at = excluded.created_at, disabled = excluded.disabled, role = excluded.role,
      version = profiles.version + 1, updated_at = clock_timestamp()
    WHERE (profiles.email, profiles.name, profiles.family_name, profiles.first_name, profiles.last_name,
        profiles.created_at, profiles.disabled, profiles.role)
      IS DISTINCT FROM (excluded.email, excluded.name, excluded.family_name, excluded.first_name, excluded.last_name,
        excluded.created_at, excluded.disabled, excluded.role)`,
});

const forgetProfile = statement({
  name: 'user-forget',
  text: 'DELETE FROM profiles WHERE organization_id = $1 AND user_id = $2',
});

/** Users whose names begin with a text, in the order of their names. */
export const userSuggestions = statement({
  name: 'user-suggestions',
  text: suggestionsText({
    table: 'profiles',
    key: 'user_id',
    text: 'search_text',
    columns: 'user_id AS id, name, email',
  }),
});

/** The users of an organization. They are written only by events of auth-service. */
export class UserRepository {
  async list(rows: Rows, query: UserListQuery): Promise<Page<User>> {
    return pageOf(await queryUserPage(rows, query));
  }

  async find(rows: Rows, id: string): Promise<Profile | undefined> {
    const [row] = await rows.query(profileById, [id]);
    if (!row) return undefined;
    const { name, familyName, ...user } = row;
    return { ...user, whole: { name, familyName } };
  }

  /** Stores the current state of a member. */
  async keep(
    tx: Transaction,
    { userId, email, name, familyName, createdAt, role, disabled = false }: Member,
  ): Promise<void> {
    const { firstName, lastName } = divideName({ name, familyName });
    const names = [name, familyName, firstName, lastName] as const;
    tx.send(keepProfile, [userId, email, ...names, createdAt, disabled, role]);
  }

  async forget(tx: Transaction, id: string): Promise<void> {
    tx.send(forgetProfile, [id]);
  }
}
