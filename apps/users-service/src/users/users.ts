import { createHash, randomUUID } from 'node:crypto';
import type { EventReader } from '@tenantry/business-service';
import { addressKey } from '@tenantry/service-kit/addresses';
import { anyVersion, type Precondition } from '@tenantry/service-kit/resources';
import type { Account, Accounts, Caller } from '../accounts/accounts.ts';
import type { Context, Tenant } from '../database.ts';
import { changedName, divideName, lengthOf, nameMax, wholeName, type DividedName } from './names.ts';
import type { Renamings } from './renamings.ts';
import type { NewUser, Profile, UserListQuery, UserPage } from './user.ts';
import {
  nameTooLong,
  othersUser,
  ownUser,
  renamedMeanwhile,
  userChanged,
  userNotFound,
} from './users.errors.ts';
import type { UserRepository } from './users.repository.ts';

/** Which user is to be changed, on which versions of it, and from where. */
export interface Target extends Caller {
  readonly id: string;
  readonly accepts: Precondition;
}

/** Which user is renamed. */
export interface RenamingTarget extends Target {
  /** Whether the actor administers the users of the organization. */
  readonly mayWrite: boolean;
}

/** From where a user is created, and by which key of the actor's the request is known. */
export interface Creation extends Caller {
  readonly key?: string | undefined;
}

/** Options of {@link Users}. */
export interface UsersOptions {
  readonly repository: UserRepository;
  readonly accounts: Accounts;
  readonly reader: Pick<EventReader, 'until'>;
  readonly renamings: Pick<Renamings, 'run'>;
}

/** How long an answer waits for the directory to show what it has changed. */
const patienceMs = 2_000;
/** How often a change is tried again when another instance's change of the name came first. */
const attemptsMax = 5;

/**
 * What can be done with the users of an organization. Each change is made by auth-service, in one transaction; the
 * directory is written by its events alone, and the answer waits a moment until it shows the change.
 */
export class Users {
  readonly #options: UsersOptions;

  constructor(options: UsersOptions) {
    this.#options = options;
  }

  /** One page, with the exact total. */
  list(tenant: Tenant, query: UserListQuery): Promise<UserPage> {
    return this.#options.repository.list(tenant, query);
  }

  async get(tenant: Tenant, id: string): Promise<Profile> {
    const profile = await this.#options.repository.find(tenant, id);
    if (!profile) throw userNotFound();
    return profile;
  }

  /** Creates a profile and an account that can sign in at once. The same key and request give the same account. */
  async create(
    context: Context,
    { email, password, ...divided }: NewUser,
    { clientAddress, key }: Creation,
  ): Promise<Account> {
    const { repository, accounts, reader } = this.#options;
    const { tenant } = context;
    const asked = askedBy(context);
    const { organizationId, actorUserId } = asked;
    const idempotencyKey = key === undefined ? randomUUID() : ownKey([organizationId, actorUserId, key]);
    const account = await accounts.create(
      { ...asked, email, password, ...wholeName(divided) },
      { idempotencyKey, clientAddress },
    );
    await reader.until(async () => (await repository.find(tenant, account.id)) !== undefined, patienceMs);
    return account;
  }

  /** Changes a name: one's own, or as an admin. */
  async rename(context: Context, target: RenamingTarget, changes: Partial<DividedName>): Promise<Profile> {
    const { id, mayWrite, clientAddress } = target;
    const { organizationId, actorUserId } = askedBy(context);
    if (actorUserId !== id && !mayWrite) throw othersUser();
    const place = { id, organizationId, address: addressKey(clientAddress) };
    return this.#options.renamings.run(place, () => this.#changeName(context, target, changes));
  }

  /** Ends the membership and its sessions; the account too, if the organization made it and it belongs to no other. */
  async remove(context: Context, target: Target): Promise<void> {
    const { repository, accounts, reader } = this.#options;
    const { tenant } = context;
    const { id } = target;
    await this.#require(tenant, target);
    const asked = askedBy(context);
    if (asked.actorUserId === id) throw ownUser();
    await accounts.remove(id, asked, target);
    await reader.until(async () => (await repository.find(tenant, id)) === undefined, patienceMs);
  }

  async #require(tenant: Tenant, { id, accepts }: Target): Promise<Profile> {
    const profile = await this.get(tenant, id);
    if (!accepts(profile.version)) throw userChanged();
    return profile;
  }

  /** Waits for the directory to show a user otherwise than before. */
  async #changeOf(tenant: Tenant, before: Profile): Promise<Profile | undefined> {
    const { repository, reader } = this.#options;
    let profile: Profile | undefined;
    await reader.until(async () => {
      profile = await repository.find(tenant, before.id);
      return profile?.version !== before.version;
    }, patienceMs);
    return profile;
  }

  async #changeName(context: Context, target: Target, changes: Partial<DividedName>): Promise<Profile> {
    const { tenant } = context;
    const { id, accepts } = target;
    for (let attempts = 1; ; attempts += 1) {
      const profile = await this.#require(tenant, target);
      const whole = changedName(profile.whole, changes);
      if (whole === profile.whole) return profile;
      if (lengthOf(whole.name) > nameMax) throw nameTooLong(changes);
      const renaming = { ...askedBy(context), ...whole, expected: profile.whole };
      const renamed = await this.#options.accounts.rename(id, renaming, target);
      const shown = await this.#changeOf(tenant, profile);
      if (renamed) return { ...(shown ?? profile), ...divideName(whole) };
      if (attempts === attemptsMax) throw accepts === anyVersion ? renamedMeanwhile() : userChanged();
    }
  }
}

/** In which organization auth-service is asked, and on whose behalf. */
const askedBy = ({ tenant, actor }: Context) => ({
  organizationId: tenant.scope.organizationId,
  actorUserId: actor.userId,
});

/** A key of this user in this organization alone. */
const ownKey = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
