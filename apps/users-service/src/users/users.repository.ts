import type { Member } from '@tenantry/business-service';
import { statement } from '@tenantry/tenancy';
import type { Rows, Transaction } from '../database.ts';
import { divideName } from './names.ts';
import type { Profile, User, UserListQuery, UserPage } from './user.ts';
import { queryUserPage, type UserPageRow } from './user-page.repository.ts';

/** The users of the organization whose rows it is given. What auth-service tells is the only thing that writes them. */
export interface UserRepository {
  list(rows: Rows, query: UserListQuery): Promise<UserPage>;
  find(rows: Rows, id: string): Promise<Profile | undefined>;
  /** Keeps a member as they are now. */
  keep(tx: Transaction, member: Member): Promise<void>;
  forget(tx: Transaction, id: string): Promise<void>;
}

interface ProfileRow extends Omit<Profile, 'createdAt' | 'whole'> {
  readonly name: string;
  readonly familyName: string | null;
  readonly createdAt: Date;
}

const profileById = statement<ProfileRow, [id: string]>({
  name: 'user-by-id',
  text: `
    SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", name,
      family_name AS "familyName", disabled, version, created_at AS "createdAt"
    FROM profiles WHERE organization_id = $1 AND user_id = $2`,
});

// An event that changes nothing leaves the row and its version as they are.
const keepProfile = statement<
  never,
  [
    id: string,
    email: string,
    name: string,
    familyName: string | null,
    firstName: string,
    lastName: string,
    createdAt: string,
    disabled: boolean,
  ]
>({
  name: 'user-keep',
  text: `
    INSERT INTO profiles (organization_id, user_id, email, name, family_name, first_name, last_name, created_at,
      disabled)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (organization_id, user_id) DO UPDATE SET email = excluded.email, name = excluded.name,
      family_name = excluded.family_name, first_name = excluded.first_name, last_name = excluded.last_name,
      created_at = excluded.created_at, disabled = excluded.disabled, version = profiles.version + 1, updated_at = clock_timestamp()
    WHERE (profiles.email, profiles.name, profiles.family_name, profiles.first_name, profiles.last_name,
        profiles.created_at, profiles.disabled)
      IS DISTINCT FROM (excluded.email, excluded.name, excluded.family_name, excluded.first_name, excluded.last_name,
        excluded.created_at, excluded.disabled)`,
});

const forgetProfile = statement<never, [id: string]>({
  name: 'user-forget',
  text: 'DELETE FROM profiles WHERE organization_id = $1 AND user_id = $2',
});

/** Users in PostgreSQL. */
export function createUserRepository(): UserRepository {
  return {
    async list(rows, query) {
      const found = await queryUserPage(rows, query);
      return { items: found.flatMap(toUser), total: found[0]?.total ?? 0 };
    },

    async find(rows, id) {
      const [row] = await rows.query(profileById, [id]);
      if (!row) return undefined;
      const { name, familyName, createdAt, ...user } = row;
      return { ...user, whole: { name, familyName }, createdAt: createdAt.toISOString() };
    },

    async keep(tx, { userId, email, name, familyName, createdAt, disabled = false }) {
      const { firstName, lastName } = divideName({ name, familyName });
      const values = [userId, email, name, familyName, firstName, lastName, createdAt, disabled] as const;
      await tx.query(keepProfile, [...values]);
    },

    async forget(tx, id) {
      await tx.query(forgetProfile, [id]);
    },
  };
}

function toUser(row: UserPageRow): User | [] {
  if (row.id === null) return [];
  const { id, email, firstName, lastName, createdAt, disabled } = row;
  return { id, email, firstName, lastName, createdAt: createdAt.toISOString(), disabled };
}
