import { unscopedStatement, type Transaction, type Unscoped } from '../database.ts';
import type { User } from '../ground/index.ts';

/** A user with what they have said of themselves. */
export interface Profile extends User {
  /** BCP 47; null while the user has not said. */
  readonly language: string | null;
  /** IANA; likewise. */
  readonly timeZone: string | null;
}

/** What a user may change; omitted fields are unchanged, null takes back what was said. */
export interface ProfileChange {
  readonly name?: string | undefined;
  readonly language?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
}

const profile = `SELECT id, email, name, language, time_zone AS "timeZone" FROM users
  WHERE id = $1 AND disabled_at IS NULL`;

const profileById = unscopedStatement({ name: 'profile', text: profile });
const lockProfile = unscopedStatement({
  name: 'profile-lock',
  text: `${profile} FOR NO KEY UPDATE`,
});
/** Where profiles are kept: in the rows of users, which have no scope. */
export class ProfileRepository {
  async find(rows: Unscoped, userId: string): Promise<Profile | undefined> {
    return (await rows.query(profileById, [userId]))[0];
  }

  /** Makes every other change of the user wait; undefined when the user is gone or disabled. */
  async lock(tx: Transaction, userId: string): Promise<Profile | undefined> {
    return (await tx.query(lockProfile, [userId]))[0];
  }

  async set({ prisma }: Transaction, { id, name, language, timeZone }: Profile, at: Date): Promise<void> {
    await prisma.user.updateMany({ where: { id }, data: { name, language, timeZone, updatedAt: at } });
  }
}
