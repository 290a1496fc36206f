import { models, unscopedStatement, type Transaction, type Unscoped } from '../database.ts';
import type { User } from '../ground/index.ts';
import type { Locale } from '../mail/index.ts';

/** A user's profile. */
export interface Profile extends User, Locale {
  /** Whether the address was confirmed. */
  readonly emailVerified: boolean;
}

/** The fields that a user may change; omitted ones are unchanged, null clears one. */
export type ProfileChange = {
  readonly [Field in 'name' | keyof Locale]?: Profile[Field] | undefined;
};

const profile = `SELECT id, email, name, language, time_zone AS "timeZone",
    email_verified_at IS NOT NULL AS "emailVerified" FROM users
  WHERE id = $1 AND disabled_at IS NULL`;

const profileById = unscopedStatement({ name: 'profile', text: profile });
const lockProfile = unscopedStatement({
  name: 'profile-lock',
  text: `${profile} FOR NO KEY UPDATE`,
});
/** Stores profiles in the rows of users, which have no scope. */
export class ProfileRepository {
  async find(rows: Unscoped, userId: string): Promise<Profile | undefined> {
    return (await rows.query(profileById, [userId]))[0];
  }

  /** Locks the user against other changes; undefined if the user is deleted or disabled. */
  async lock(tx: Transaction, userId: string): Promise<Profile | undefined> {
    return (await tx.query(lockProfile, [userId]))[0];
  }

  async set(tx: Transaction, { id, name, language, timeZone }: Profile, at: Date): Promise<void> {
    await models(tx).user.updateMany({ where: { id }, data: { name, language, timeZone, updatedAt: at } });
  }
}
