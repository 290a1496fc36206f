import { changedFields } from '@tenantry/service-kit/resources';
import { recordOwnAudit } from '../audit/index.ts';
import { recordUserUpdated } from '../events/index.ts';
import { countChange, tidyLanguage, tidyTimeZone, type Client, type Ground } from '../ground/index.ts';
import { sessionEnded, type Principal } from '../sessions/index.ts';
import { createProfileRepository, type Profile, type ProfileChange } from './profile.repository.ts';

/** A user's own name, language and time zone. */
export interface Profiles {
  get(principal: Principal): Promise<Profile>;
  /** @throws VALIDATION_ERROR naming the field; RATE_LIMITED */
  change(principal: Principal, change: ProfileChange & { readonly client: Client }): Promise<Profile>;
}

/** What the use cases of a profile need. */
type ProfilesDependencies = Pick<Ground, 'database' | 'limits' | 'now'>;

export function createProfiles({ database, limits, now }: ProfilesDependencies): Profiles {
  const repository = createProfileRepository();

  return {
    async get({ user }) {
      const profile = await repository.find(database.unscoped, user.id);
      if (!profile) throw sessionEnded();
      return profile;
    },

    async change({ user }, { name, language, timeZone, client }) {
      const { id: userId } = user;
      const wanted = {
        ...(name !== undefined && { name }),
        ...(language !== undefined && { language: language && tidyLanguage(language, 'language') }),
        ...(timeZone !== undefined && { timeZone: timeZone && tidyTimeZone(timeZone, 'timeZone') }),
      };
      const charge = { limiter: limits.accountChanges, key: userId };
      const { profile } = await countChange(charge, () =>
        database.within({ userId }).transaction(async (tx) => {
          const before = await repository.lock(tx, userId);
          if (!before) throw sessionEnded();
          const after = { ...before, ...wanted };
          const fields = changedFields(before, after, ['name', 'language', 'timeZone']);
          if (fields.length === 0) return { profile: before, hasChanged: false };
          await repository.set(tx, after, now());
          // The rest is the user's alone.
          if (fields.includes('name')) await recordUserUpdated(tx);
          await recordOwnAudit(tx, { action: 'profile.updated', client, details: { fields } });
          return { profile: after, hasChanged: true };
        }),
      );
      return profile;
    },
  };
}
