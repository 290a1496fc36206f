import { changedFields } from '@tenantry/service/resources';
import { recordOwnAudit } from '../audit/index.ts';
import { recordUserUpdated } from '../events/index.ts';
import { countChange, tidyLanguage, tidyTimeZone, type Client, type Ground } from '../ground/index.ts';
import type { OrganizationsWing } from '../organizations/index.ts';
import { sessionEnded, type Principal, type Sessions } from '../sessions/index.ts';
import { ProfileRepository, type Profile, type ProfileChange } from './profile.repository.ts';

interface ProfilesDependencies extends Pick<Ground, 'database' | 'limits' | 'now'> {
  readonly organizations: { readonly memberships: Pick<OrganizationsWing['memberships'], 'count'> };
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** A user's own name, language and time zone. */
export class Profiles {
  readonly #dependencies: ProfilesDependencies;
  readonly #repository = new ProfileRepository();

  constructor(dependencies: ProfilesDependencies) {
    this.#dependencies = dependencies;
  }

  async get({ user }: Principal): Promise<Profile> {
    const profile = await this.#repository.find(this.#dependencies.database.unscoped, user.id);
    if (!profile) throw sessionEnded();
    return profile;
  }

  /** @throws VALIDATION_ERROR naming the field; RATE_LIMITED */
  async change(
    principal: Principal,
    { name, language, timeZone, client }: ProfileChange & { readonly client: Client },
  ): Promise<Profile> {
    const { database, limits, organizations, sessions, now } = this.#dependencies;
    const { id: userId } = principal.user;
    const wanted = {
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language: language && tidyLanguage(language, 'language') }),
      ...(timeZone !== undefined && { timeZone: timeZone && tidyTimeZone(timeZone, 'timeZone') }),
    };
    // A name is published to each organization.
    const cost = name === undefined ? 1 : await organizations.memberships.count(database.within({ userId }));
    const charge = { limiter: limits.accountChanges, key: userId, cost };
    const { profile } = await countChange(charge, () =>
      sessions.callers.own(principal, async (tx) => {
        const before = await this.#repository.lock(tx, userId);
        if (!before) throw sessionEnded();
        const after = { ...before, ...wanted };
        const fields = changedFields(before, wanted);
        if (fields.length === 0) return { profile: before, hasChanged: false };
        await this.#repository.set(tx, after, now());
        // Other fields concern only the user.
        if (fields.includes('name')) await recordUserUpdated(tx);
        await recordOwnAudit(tx, { action: 'profile.updated', client, details: { fields } });
        return { profile: after, hasChanged: true };
      }),
    );
    return profile;
  }
}
