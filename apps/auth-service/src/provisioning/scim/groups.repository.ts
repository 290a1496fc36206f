import { statement, type OrganizationRows, type OrganizationTransaction } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';
import type { Window } from './filter.ts';
import { groupNameKey, type GroupSaid } from './group-documents.ts';

/** A group of a directory, without its members. */
export type Group = Statements['directory-group']['row'];

/** A group as owners see it. */
export type ListedGroup = Statements['directory-groups-of-owners']['row'];

/** A member of the organization who is no owner, and the role that groups give them; null for none. */
export type Standing = Statements['directory-group-standings']['row'];

interface Which {
  readonly connectionId: string;
  readonly groupId: string;
}

const columns = `g.id, g.display_name AS "displayName", g.external_id AS "externalId", g.role,
  g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

const group = statement({
  name: 'directory-group',
  text: `
    SELECT ${columns} FROM directory_groups g
    WHERE g.organization_id = $1 AND g.connection_id = $2 AND g.id = $3`,
});

const groupByName = statement({
  name: 'directory-group-by-name',
  text: `
    SELECT ${columns} FROM directory_groups g
    WHERE g.organization_id = $1 AND g.connection_id = $2 AND g.name_key = $3`,
});

const groups = statement({
  name: 'directory-groups',
  text: `
    SELECT ${columns} FROM directory_groups g
    WHERE g.organization_id = $1 AND g.connection_id = $2 ORDER BY g.id LIMIT $3 OFFSET $4`,
});

const groupsOfOwners = statement({
  name: 'directory-groups-of-owners',
  text: `
    SELECT g.id, g.display_name AS "displayName", g.role, (
      SELECT count(*)::int FROM directory_group_members m
      WHERE m.organization_id = $1 AND m.connection_id = $2 AND m.group_id = g.id) AS people
    FROM directory_groups g WHERE g.organization_id = $1 AND g.connection_id = $2 ORDER BY g.name_key, g.id`,
});

const countGroups = statement({
  name: 'directory-groups-count',
  text: 'SELECT count(*)::int AS groups FROM directory_groups WHERE organization_id = $1 AND connection_id = $2',
});

const insertGroup = statement({
  name: 'directory-group-insert',
  text: `
    INSERT INTO directory_groups
      (organization_id, connection_id, id, display_name, name_key, external_id, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
});

const updateGroup = statement({
  name: 'directory-group-update',
  text: `
    UPDATE directory_groups SET display_name = $4, name_key = $5, external_id = $6, updated_at = $7
    WHERE organization_id = $1 AND connection_id = $2 AND id = $3`,
});

const setRole = statement({
  name: 'directory-group-set-role',
  text: `
    UPDATE directory_groups SET role = $4 WHERE organization_id = $1 AND connection_id = $2 AND id = $3`,
});

const removeGroup = statement({
  name: 'directory-group-remove',
  text: 'DELETE FROM directory_groups WHERE organization_id = $1 AND connection_id = $2 AND id = $3',
});

const members = statement({
  name: 'directory-group-members',
  text: `
    SELECT user_id AS "userId" FROM directory_group_members
    WHERE organization_id = $1 AND connection_id = $2 AND group_id = $3 ORDER BY user_id`,
});

const namedMembers = statement({
  name: 'directory-group-named-members',
  text: `
    SELECT m.user_id AS "userId", p.user_name AS "userName" FROM directory_group_members m
    JOIN directory_people p ON p.organization_id = $1 AND p.connection_id = $2 AND p.user_id = m.user_id
    WHERE m.organization_id = $1 AND m.connection_id = $2 AND m.group_id = $3 ORDER BY m.user_id`,
});

// Who is not in the directory is not in the answer.
const addMembers = statement({
  name: 'directory-group-add-members',
  text: `
    INSERT INTO directory_group_members (organization_id, connection_id, group_id, user_id)
    SELECT $1, p.connection_id, $3, p.user_id FROM directory_people p
    WHERE p.organization_id = $1 AND p.connection_id = $2 AND p.user_id = ANY ($4::uuid[])
    RETURNING user_id AS "userId"`,
});

const removeMembers = statement({
  name: 'directory-group-remove-members',
  text: `
    DELETE FROM directory_group_members
    WHERE organization_id = $1 AND connection_id = $2 AND group_id = $3 AND user_id = ANY ($4::uuid[])`,
});

/** The highest role that groups give somebody, of all directories of the organization: `admin` comes before `member`. */
const roleGivenTo = (userId: string): string => `SELECT min(g.role) AS role FROM directory_group_members i
      JOIN directory_groups g ON g.organization_id = $1 AND g.connection_id = i.connection_id AND g.id = i.group_id
      WHERE i.organization_id = $1 AND i.user_id = ${userId}`;

const standings = statement({
  name: 'directory-group-standings',
  text: `
    SELECT m.user_id AS "userId", m.role, (${roleGivenTo('m.user_id')}) AS given
    FROM members m
    WHERE m.organization_id = $1 AND m.user_id = ANY ($2::uuid[]) AND m.role <> 'owner' ORDER BY m.user_id`,
});

const given = statement({
  name: 'directory-group-given',
  text: roleGivenTo('$2'),
});

const peopleWithRole = statement({
  name: 'directory-groups-people-with-role',
  text: `
    SELECT DISTINCT i.user_id AS "userId" FROM directory_groups g
    JOIN directory_group_members i ON i.organization_id = $1 AND i.connection_id = $2 AND i.group_id = g.id
    WHERE g.organization_id = $1 AND g.connection_id = $2 AND g.role IS NOT NULL`,
});

const endRoles = statement({
  name: 'directory-groups-end-roles',
  text: `
    UPDATE directory_groups SET role = NULL WHERE organization_id = $1 AND connection_id = $2 AND role IS NOT NULL`,
});

const countMembers = statement({
  name: 'directory-groups-count-members',
  text: 'SELECT count(*)::int AS members FROM directory_group_members WHERE organization_id = $1',
});

/** Stores the groups of directories; the organization is that of the scope. */
export class GroupsRepository {
  async find(rows: OrganizationRows, { connectionId, groupId }: Which): Promise<Group | undefined> {
    return (await rows.query(group, [connectionId, groupId]))[0];
  }

  async findByName(rows: OrganizationRows, connectionId: string, name: string): Promise<Group | undefined> {
    return (await rows.query(groupByName, [connectionId, groupNameKey(name)]))[0];
  }

  /** In a stable order. */
  list(rows: OrganizationRows, connectionId: string, { startIndex, count }: Window): Promise<Group[]> {
    return rows.query(groups, [connectionId, count, startIndex - 1]);
  }

  /** By name, with how many people are in each. */
  listForOwners(rows: OrganizationRows, connectionId: string): Promise<ListedGroup[]> {
    return rows.query(groupsOfOwners, [connectionId]);
  }

  async count(rows: OrganizationRows, connectionId: string): Promise<number> {
    return (await rows.query(countGroups, [connectionId]))[0]?.groups ?? 0;
  }

  async insert(tx: OrganizationTransaction, which: Which, said: GroupSaid, at: Date): Promise<void> {
    await tx.query(insertGroup, valuesOf(which, said, at));
  }

  async update(tx: OrganizationTransaction, which: Which, said: GroupSaid, at: Date): Promise<void> {
    await tx.query(updateGroup, valuesOf(which, said, at));
  }

  async setRole(
    tx: OrganizationTransaction,
    { connectionId, groupId }: Which,
    role: Group['role'],
  ): Promise<void> {
    await tx.query(setRole, [connectionId, groupId, role]);
  }

  async remove(tx: OrganizationTransaction, { connectionId, groupId }: Which): Promise<void> {
    await tx.query(removeGroup, [connectionId, groupId]);
  }

  async memberIds(rows: OrganizationRows, { connectionId, groupId }: Which): Promise<string[]> {
    return (await rows.query(members, [connectionId, groupId])).map(({ userId }) => userId);
  }

  /** With what the directory calls them. */
  members(rows: OrganizationRows, { connectionId, groupId }: Which) {
    return rows.query(namedMembers, [connectionId, groupId]);
  }

  /** @returns how many of them are in the directory */
  async addMembers(
    tx: OrganizationTransaction,
    { connectionId, groupId }: Which,
    userIds: readonly string[],
  ): Promise<number> {
    return (await tx.query(addMembers, [connectionId, groupId, [...userIds]])).length;
  }

  async removeMembers(
    tx: OrganizationTransaction,
    { connectionId, groupId }: Which,
    userIds: readonly string[],
  ): Promise<void> {
    await tx.query(removeMembers, [connectionId, groupId, [...userIds]]);
  }

  /** The people in all groups of the organization's directories, each counted in each group. */
  async countMembers(tx: OrganizationTransaction): Promise<number> {
    return (await tx.query(countMembers, []))[0]?.members ?? 0;
  }

  /** Who is in groups of a directory that have a role. */
  async peopleWithRole(tx: OrganizationTransaction, connectionId: string): Promise<string[]> {
    return (await tx.query(peopleWithRole, [connectionId])).map(({ userId }) => userId);
  }

  /** Leaves the groups of a directory without a role. */
  async endRoles(tx: OrganizationTransaction, connectionId: string): Promise<void> {
    await tx.query(endRoles, [connectionId]);
  }

  /** By the groups of all directories of the organization; lowest id first. */
  standings(tx: OrganizationTransaction, userIds: readonly string[]): Promise<Standing[]> {
    return tx.query(standings, [[...userIds]]);
  }

  /** The role that groups give somebody. */
  async given(tx: OrganizationTransaction, userId: string): Promise<string | null> {
    return (await tx.query(given, [userId]))[0]?.role ?? null;
  }
}

const valuesOf = ({ connectionId, groupId }: Which, { displayName, externalId }: GroupSaid, at: Date) =>
  [connectionId, groupId, displayName, groupNameKey(displayName), externalId, at] as const;
