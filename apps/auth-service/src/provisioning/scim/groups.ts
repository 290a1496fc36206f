import { isDeepStrictEqual } from 'node:util';
import { ApiError, isRefusal } from '@tenantry/envelope';
import type { Actor } from '@tenantry/service/resources';
import { recordAudit } from '../../audit/index.ts';
import { tooManyRoles, type ConnectionsWing } from '../../connections/index.ts';
import type { OrganizationRows, OrganizationTransaction } from '../../database.ts';
import {
  countChange,
  type Ground,
  type MemberContext,
  type OrganizationContext,
  type SignedIn,
} from '../../ground/index.ts';
import { requirePermission, type OrganizationsWing } from '../../organizations/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { contextOf, record, type Acting, type Acts, type Provision } from './acting.ts';
import type { GroupFilter, Window } from './filter.ts';
import { unknownMember, type GroupSaid } from './group-documents.ts';
import { GroupsRepository, type Group, type ListedGroup, type Standing } from './groups.repository.ts';
import { Refused } from './refused.ts';
import type { Directory } from './scim-tokens.ts';

interface GroupsDependencies extends Pick<Ground, 'database' | 'limits' | 'newId' | 'now'> {
  readonly acts: Acts;
  readonly connections: Pick<ConnectionsWing['connections'], 'get' | 'getIn'>;
  readonly organizations: Pick<OrganizationsWing, 'memberships' | 'places'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** What groups make of people. No group makes an owner. */
export type RoleByGroup = 'member' | 'admin';

/** Somebody in a group, as the directory calls them. */
export interface GroupMember {
  readonly userId: string;
  readonly userName: string;
}

/** A group, with its members where they are wanted. */
export interface FoundGroup {
  readonly group: Group;
  readonly members: readonly GroupMember[] | null;
}

interface Which {
  readonly connectionId: string;
  readonly groupId: string;
}

interface Wanted {
  readonly connectionId: string;
  readonly group: Group;
  readonly withMembers: boolean;
}

/** What came of a request, and how many roles it has changed. */
interface Settled<Result> {
  readonly result: Result;
  readonly changes: number;
}

/** What may change the roles of people. */
interface Settling {
  readonly concerned: readonly string[];
  readonly work: () => Promise<void>;
  /** For more than {@link roleChangesMax}, which change nothing. */
  readonly tooMany: () => Error;
}

/** The most groups of a directory. */
export const directoryGroupsMax = 1_000;
/** The groups, as a mean, that the people whom an organization may have are in. */
export const groupsOfPersonMax = 20;
/**
 * The most people whose role one change may change: each is in a trail, and announced. A group that makes admins has no more people,
 * so that an owner can always take the role back.
 */
export const roleChangesMax = 200;

/**
 * The groups of directories (SCIM 2.0), and the roles that owners give to the people in them. Whoever is in several has the highest,
 * also of several directories; whoever leaves the last one that has a role is a member. Owners are not concerned, and the roles of others stay.
 */
export class Groups {
  readonly #dependencies: GroupsDependencies;
  readonly #repository = new GroupsRepository();

  constructor(dependencies: GroupsDependencies) {
    this.#dependencies = dependencies;
  }

  /** In a stable order, with how many there are; with its members only the one that a filter finds. */
  async list(
    { organizationId, connectionId }: Directory,
    { filter, ...window }: Window & { readonly filter?: GroupFilter | undefined },
    withMembers: boolean,
  ): Promise<{ readonly total: number; readonly groups: readonly FoundGroup[] }> {
    const rows = this.#dependencies.database.within({ organizationId });
    if (filter) {
      const group = await this.#repository.findByName(rows, connectionId, filter.displayName);
      if (!group) return { total: 0, groups: [] };
      const found = [await this.#found(rows, { connectionId, group, withMembers })];
      return { total: 1, groups: found.slice(window.startIndex - 1).slice(0, window.count) };
    }
    const total = await this.#repository.count(rows, connectionId);
    const groups = await this.#repository.list(rows, connectionId, window);
    return { total, groups: groups.map((group) => ({ group, members: null })) };
  }

  /** @throws NOT_FOUND */
  async get(
    { organizationId, connectionId }: Directory,
    groupId: string,
    withMembers: boolean,
  ): Promise<FoundGroup> {
    const rows = this.#dependencies.database.within({ organizationId });
    const group = await this.#repository.find(rows, { connectionId, groupId });
    if (!group) throw groupNotFound();
    return this.#found(rows, { connectionId, group, withMembers });
  }

  /** @throws ScimError; QUOTA_EXCEEDED; UNAUTHENTICATED */
  create(provision: Provision, said: GroupSaid): Promise<string> {
    const { acts, newId } = this.#dependencies;
    return acts.run(provision, async (acting) => {
      const { tx, at } = acting;
      const { connectionId } = provision.directory;
      if ((await this.#repository.count(tx, connectionId)) >= directoryGroupsMax) throw tooManyGroups();
      await this.#requireFreeName(tx, connectionId, said);
      const groupId = newId();
      await this.#repository.insert(tx, { connectionId, groupId }, said, at);
      await this.#add(tx, { connectionId, groupId }, said.members);
      await record(acting, 'directory.group-added', targetOf(groupId, said));
      return groupId;
    });
  }

  /**
   * Changes what a directory says of a group, and the roles that follow from it, all or nothing.
   *
   * @returns what it is called now; null where nothing has changed
   * @throws ScimError; NOT_FOUND; QUOTA_EXCEEDED; RATE_LIMITED; UNAUTHENTICATED
   */
  change(
    provision: Provision,
    groupId: string,
    change: (before: GroupSaid) => GroupSaid,
  ): Promise<string | null> {
    return this.#acting(provision, groupId, async (acting, group) => {
      const { tx, at } = acting;
      const { connectionId } = provision.directory;
      const which = { connectionId, groupId };
      const { displayName, externalId } = group;
      const before = { displayName, externalId, members: await this.#repository.memberIds(tx, which) };
      const said = change(before);
      const [was, is] = [new Set(before.members), new Set(said.members)];
      const added = said.members.filter((id) => !was.has(id));
      const gone = before.members.filter((id) => !is.has(id));
      const isRenamed = !isDeepStrictEqual({ ...said, members: [] }, { ...before, members: [] });
      if (added.length + gone.length === 0 && !isRenamed) return { result: null, changes: 0 };
      if (said.displayName !== displayName) await this.#requireFreeName(tx, connectionId, said, groupId);
      await this.#repository.update(tx, which, said, at);
      if (group.role === 'admin' && added.length > 0 && said.members.length > roleChangesMax)
        throw rolesTooMany(`A group that makes admins has at most ${roleChangesMax} people here.`);
      const concerned = group.role === null ? [] : [...added, ...gone];
      const changes = await this.#settle(tx, contextOf(acting), {
        concerned,
        tooMany: tooManyInRequest,
        work: async () => {
          await this.#repository.removeMembers(tx, which, gone);
          await this.#add(tx, which, added);
        },
      });
      await record(acting, 'directory.group-changed', targetOf(groupId, said));
      return { result: said.displayName, changes };
    });
  }

  /** Whoever had a role by it is a member, unless another group says otherwise. @throws ScimError; NOT_FOUND; RATE_LIMITED; UNAUTHENTICATED */
  remove(provision: Provision, groupId: string): Promise<string> {
    return this.#acting(provision, groupId, async (acting, group) => {
      const { tx } = acting;
      const which = { connectionId: provision.directory.connectionId, groupId };
      const concerned = group.role === null ? [] : await this.#repository.memberIds(tx, which);
      const work = () => this.#repository.remove(tx, which);
      const settling = { concerned, work, tooMany: tooManyInRequest };
      const changes = await this.#settle(tx, contextOf(acting), settling);
      await record(acting, 'directory.group-removed', targetOf(groupId, group));
      return { result: group.displayName, changes };
    });
  }

  /** The role with which somebody becomes a member, in the transaction of a request. */
  async given(tx: OrganizationTransaction, userId: string): Promise<RoleByGroup> {
    return (await this.#repository.given(tx, userId)) === 'admin' ? 'admin' : 'member';
  }

  /**
   * Ends the roles by groups of a directory, in the transaction that deletes its connection.
   *
   * @throws CONFLICT for more people than may change at once
   */
  async endRoles(
    context: OrganizationContext,
    tx: OrganizationTransaction,
    connectionId: string,
  ): Promise<void> {
    const concerned = await this.#repository.peopleWithRole(tx, connectionId);
    const work = () => this.#repository.endRoles(tx, connectionId);
    await this.#settle(tx, context, { concerned, work, tooMany: tooManyRoles });
  }

  /** For owners, by name. @throws NOT_FOUND */
  async listForOwner(
    { organizationId, connectionId }: Pick<Directory, 'organizationId' | 'connectionId'>,
    userId: string,
  ): Promise<ListedGroup[]> {
    const { connections, database } = this.#dependencies;
    await connections.get(organizationId, connectionId, userId);
    return this.#repository.listForOwners(database.within({ organizationId }), connectionId);
  }

  /**
   * Says what the people in a group are, from now on; null for nothing.
   *
   * @throws NOT_FOUND; FORBIDDEN; CONFLICT for more people than may change at once; RATE_LIMITED
   */
  async setRole(
    context: MemberContext<SignedIn>,
    which: Which,
    role: RoleByGroup | null,
  ): Promise<ListedGroup> {
    const { connections, limits, sessions } = this.#dependencies;
    const { organizationId } = context;
    const { connectionId, groupId } = which;
    const counted = await countChange(
      { limiter: limits.organizationChanges, key: organizationId },
      async () => {
        const group = await sessions.callers.inOrganization(context, async (tx, ownRole) => {
          requirePermission(ownRole, 'connections:write');
          await connections.getIn(tx, connectionId);
          const { role: from, ...found } = await this.#find(tx, which);
          const concerned = await this.#repository.memberIds(tx, which);
          if (role !== from) {
            if (role === 'admin' && concerned.length > roleChangesMax) throw tooManyRoles();
            const work = () => this.#repository.setRole(tx, which, role);
            await this.#settle(tx, context, { concerned, work, tooMany: tooManyRoles });
            const details = { connection: connectionId, from, to: role };
            const target = targetOf(groupId, found);
            await recordAudit(tx, context, { action: 'directory.group-role-changed', target, details });
          }
          const { id, displayName } = found;
          return { id, displayName, role, people: concerned.length };
        });
        return { group, hasChanged: true };
      },
    );
    return counted.group;
  }

  /** A request that may change roles is counted as if it changed as many as it may, until it is known how many it did. */
  async #acting<Result>(
    provision: Provision,
    groupId: string,
    work: (acting: Acting, group: Group) => Promise<Settled<Result>>,
  ): Promise<Result> {
    const { acts, database, limits } = this.#dependencies;
    const { organizationId, connectionId, tokenId } = provision.directory;
    const which = { connectionId, groupId };
    const run = () => acts.run(provision, async (acting) => work(acting, await this.#find(acting.tx, which)));
    const group = await this.#repository.find(database.within({ organizationId }), which);
    if (!group || group.role === null) return (await run()).result;
    const counted = await limits.scimRoles.consume(tokenId, roleChangesMax);
    let changes = 0;
    try {
      const settled = await run();
      changes = settled.changes;
      return settled.result;
    } finally {
      // Where others have used up the rest meanwhile, this stays counted as it was: what is done is not refused.
      if (changes === 0 || (await this.#isCounted(tokenId, changes))) await counted.giveBack();
    }
  }

  async #isCounted(tokenId: string, changes: number): Promise<boolean> {
    try {
      await this.#dependencies.limits.scimRoles.consume(tokenId, changes);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** Does what may change the roles of people, and changes them. @returns how many have changed */
  async #settle(
    tx: OrganizationTransaction,
    context: OrganizationContext<Actor>,
    { concerned, work, tooMany }: Settling,
  ): Promise<number> {
    const before = await this.#repository.standings(tx, concerned);
    await work();
    const given = new Map(before.map((one) => [one.userId, one.given]));
    const after = await this.#repository.standings(tx, [...given.keys()]);
    const changes = after.flatMap((one) => {
      const role = roleAfter(one, given.get(one.userId) ?? null);
      return role === one.role ? [] : [{ member: one, role }];
    });
    if (changes.length > roleChangesMax) throw tooMany();
    const { memberships } = this.#dependencies.organizations;
    for (const change of changes) await memberships.changeRole(tx, context, change);
    return changes.length;
  }

  async #found(rows: OrganizationRows, { connectionId, group, withMembers }: Wanted): Promise<FoundGroup> {
    const which = { connectionId, groupId: group.id };
    return { group, members: withMembers ? await this.#repository.members(rows, which) : null };
  }

  async #find(tx: OrganizationTransaction, which: Which): Promise<Group> {
    const group = await this.#repository.find(tx, which);
    if (!group) throw groupNotFound();
    return group;
  }

  async #add(tx: OrganizationTransaction, which: Which, userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    if ((await this.#repository.addMembers(tx, which, userIds)) < userIds.length) throw unknownMember();
    const people = await this.#dependencies.organizations.places.peopleMax(tx);
    if ((await this.#repository.countMembers(tx)) > groupsOfPersonMax * people) throw tooManyInGroups();
  }

  async #requireFreeName(
    tx: OrganizationTransaction,
    connectionId: string,
    { displayName }: GroupSaid,
    ownId?: string,
  ): Promise<void> {
    const found = await this.#repository.findByName(tx, connectionId, displayName);
    if (found && found.id !== ownId)
      throw new Refused('USER_NAME_TAKEN', 'uniqueness', 'The directory has a group of this name.');
  }
}

/** What somebody is after a change, by what groups gave them before it and give them now. */
function roleAfter({ role, given }: Standing, before: string | null): 'admin' | 'member' {
  const wanted = given ?? (before === null ? role : 'member');
  return wanted === 'admin' ? 'admin' : 'member';
}

const targetOf = (id: string, { displayName: name }: Pick<GroupSaid, 'displayName'>) => ({
  type: 'directory-group',
  id,
  name,
});

/** The directory has no such group, or another one has it. */
export const groupNotFound = (): ApiError =>
  new ApiError('NOT_FOUND', 'The directory has no group with this id.');

const rolesTooMany = (detail: string): Refused => new Refused('ROLES_TOO_MANY', 'mutability', detail);

const tooManyInRequest = (): Refused =>
  rolesTooMany(`One request changes the roles of at most ${roleChangesMax} people here: name fewer at once.`);

const tooManyInGroups = (): ApiError =>
  new ApiError(
    'QUOTA_EXCEEDED',
    'The groups of the organization have as many people in all as they may, and nothing was changed. Send fewer groups.',
    { statusCode: 409, reason: 'PEOPLE' },
  );

const tooManyGroups = (): ApiError =>
  new ApiError('QUOTA_EXCEEDED', `The directory has ${directoryGroupsMax} groups, and none was added.`, {
    statusCode: 409,
    reason: 'PEOPLE',
  });
