import { createHash, randomUUID } from 'node:crypto';
import { addressKey } from '@tenantry/service/addresses';
import type { Page, Room } from '@tenantry/service/business';
import { copiesBehind, type Arrival, type EventReader } from '@tenantry/service/events';
import { anyVersion, type Precondition } from '@tenantry/service/resources';
import { userNotFound } from '../accounts/accounts.errors.ts';
import type { Account, Accounts, Caller } from '../accounts/accounts.ts';
import type { Context, Tenant } from '../database.ts';
import { changedName, divideName, lengthOf, nameMax, wholeName, type DividedName } from './names.ts';
import type { Renamings } from './renamings.ts';
import type { NewUser, Profile, User, UserListQuery } from './user.ts';
import { nameTooLong, othersUser, ownUser, renamedMeanwhile, userChanged } from './users.errors.ts';
import type { UserRepository } from './users.repository.ts';

/** The users of an organization, and whether they are as auth-service has them. */
export interface Directory {
  readonly tenant: Tenant;
  readonly arrival: Arrival;
}

/** The user to change, the accepted versions, and where the change comes from. */
export interface Target extends Caller {
  readonly id: string;
  readonly accepts: Precondition;
}

/** The user to rename. */
export interface RenamingTarget extends Target {
  /** Whether the actor administers the users of the organization. */
  readonly mayWrite: boolean;
}

/** Where a creation comes from, and its idempotency key. */
export interface Creation extends Caller {
  readonly key?: string | undefined;
}

export interface UsersOptions {
  readonly repository: UserRepository;
  readonly accounts: Accounts;
  readonly reader: Pick<EventReader, 'current'>;
  readonly renamings: Pick<Renamings, 'run'>;
  readonly room: Pick<Room, 'require'>;
}

/** Maximum retries if another instance's change of the name came first. */
const attemptsMax = 5;

/**
 * The use cases of an organization's users. Each change is made by auth-service, in one transaction; the directory is written
 * only by its events, and read only once it has them.
 */
export class Users {
  readonly #options: UsersOptions;

  constructor(options: UsersOptions) {
    this.#options = options;
  }

  /** One page, with the exact total. */
  list({ tenant }: Directory, query: UserListQuery): Promise<Page<User>> {
    return this.#options.repository.list(tenant, query);
  }

  async get({ tenant, arrival }: Directory, id: string): Promise<Profile> {
    const profile = await this.#options.repository.find(tenant, id);
    if (profile) return profile;
    throw arrival === 'away' ? copiesBehind() : userNotFound();
  }

  /** Creates a profile and an account that can sign in immediately. The same key and request return the same account. */
  async create(
    context: Context,
    { email, password, ...divided }: NewUser,
    { key, ...caller }: Creation,
  ): Promise<Account> {
    await this.#options.room.require(context.tenant);
    const asked = askedBy(context);
    const { organizationId, actorUserId } = asked;
    const idempotencyKey = key === undefined ? randomUUID() : ownKey([organizationId, actorUserId, key]);
    return this.#options.accounts.create(
      { ...asked, email, password, ...wholeName(divided) },
      { idempotencyKey, ...caller },
    );
  }

  /** Changes a name: the caller's own, or as an admin. */
  async rename(context: Context, target: RenamingTarget, changes: Partial<DividedName>): Promise<Profile> {
    const { id, mayWrite, clientAddress } = target;
    const { organizationId, actorUserId } = askedBy(context);
    if (actorUserId !== id && !mayWrite) throw othersUser();
    const place = { id, organizationId, address: addressKey(clientAddress) };
    return this.#options.renamings.run(place, () => this.#changeName(context, target, changes));
  }

  /**
   * Ends the membership and its sessions; deletes the account too, if the organization created it and it belongs to no other.
   */
  async remove(context: Context, target: Target): Promise<void> {
    const { id } = target;
    await this.#require(context.tenant, target);
    const asked = askedBy(context);
    if (asked.actorUserId === id) throw ownUser();
    await this.#options.accounts.remove(id, asked, target);
  }

  /** A user as auth-service has them now. */
  async #find(tenant: Tenant, id: string): Promise<Profile | undefined> {
    const { repository, reader } = this.#options;
    await reader.current(tenant.scope.organizationId);
    return repository.find(tenant, id);
  }

  async #require(tenant: Tenant, { id, accepts }: Target): Promise<Profile> {
    const profile = await this.#find(tenant, id);
    if (!profile) throw userNotFound();
    if (!accepts(profile.version)) throw userChanged();
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
      if (renamed) return { ...((await this.#find(tenant, id)) ?? profile), ...divideName(whole) };
      if (attempts === attemptsMax) throw accepts === anyVersion ? renamedMeanwhile() : userChanged();
    }
  }
}

/** The organization and actor for auth-service. */
const askedBy = ({ tenant, actor }: Context) => ({
  organizationId: tenant.scope.organizationId,
  actorUserId: actor.userId,
});

/** A key scoped to this user and organization. */
const ownKey = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
