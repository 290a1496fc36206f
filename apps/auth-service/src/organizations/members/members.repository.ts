import type { Role } from '@tenantry/jwt-verify';
import { foundIn, pageOf, type Page } from '@tenantry/tenancy';
import { statement, unscopedStatement, type Rows, type Transaction } from '../../database.ts';
import type { PageQuery, User } from '../../ground/index.ts';
import { refusalOf, type Principal } from '../../sessions/index.ts';
import type { Statements } from '../../statements.types.ts';
import type { Standing } from './member-rules.ts';

/**
 * A user's membership in an organization: whether the account is disabled, whether it can sign in with two factors, and when the
 * user became a member, as ISO 8601 text.
 */
export type Member = Statements['member-by-id']['row'];

/** A member and the organization. */
export interface Place {
  readonly organizationId: string;
  readonly userId: string;
}

/** An organization of a user: what it requires of every member, and whether this one may act in it. */
export type ListedMembership = Statements['organizations-of-user']['row'];

/** A filter of members. */
export interface MembersQuery extends PageQuery {
  /** A part of the name or of the address; case and accents do not matter. */
  readonly search?: string | undefined;
  /** With two-factor authentication, or without it. */
  readonly twoFactor?: boolean | undefined;
}

/** The role of a new member, and when it was granted. */
interface HeldRole {
  readonly userId: string;
  readonly role: Role;
  readonly at: Date;
}

/** A page of members in joining order. */
export type MembersPage = Page<Member>;

// The column aliases name the keys as they are named everywhere else.
const lockOrganization = statement({
  name: 'organization-lock',
  text: `
    SELECT o.organization_id AS id FROM organizations AS o (organization_id)
    WHERE o.organization_id = $1 FOR NO KEY UPDATE`,
});
const lockUser = statement({
  name: 'user-lock',
  owner: 'user',
  text: `
    SELECT u.user_id AS id, u.email, u.name FROM users AS u (user_id)
    WHERE u.user_id = $1 FOR NO KEY UPDATE`,
});

const standingOf = statement({
  name: 'member-standing',
  text: `
    SELECT
      (SELECT role FROM members WHERE organization_id = $1 AND user_id = $2) AS "actorRole",
      (SELECT role FROM members WHERE organization_id = $1 AND user_id = $3) AS "targetRole",
      EXISTS (
        SELECT FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND m.role = 'owner' AND m.user_id <> $3 AND u.disabled_at IS NULL) AS "otherOwners"`,
});

const memberColumns = `m.user_id AS "userId", u.name, u.email, m.role, u.disabled_at IS NOT NULL AS disabled,
  u.has_second_factor AS "twoFactor", m.created_at AS "createdAt"`;

const memberById = statement({
  name: 'member-by-id',
  times: 'text',
  text: `
    SELECT ${memberColumns} FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
});

const otherMembers = statement({
  name: 'members-others',
  times: 'text',
  text: `
    SELECT ${memberColumns} FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.user_id <> $2 ORDER BY m.user_id`,
});

const personalOrganizations = statement({
  name: 'organizations-personal',
  owner: 'user',
  text: `
    SELECT o.id FROM members m JOIN organizations o ON o.id = m.organization_id AND o.personal_of = m.user_id
    WHERE m.user_id = $1 ORDER BY o.id`,
});

// A search reads all members of one organization: an index over all users would not help. The term is one line, so that it
// never matches across name and e-mail address.
const isWanted = `($4::text IS NULL
  OR ${foundIn(String.raw`(app.fold_text(u.name) || E'\n' || app.fold_text(u.email))`, '$4')})
  AND ($5::boolean IS NULL OR u.has_second_factor = $5)`;

// The total comes with an empty page as well: a row of it alone.
const membersPage = statement({
  name: 'members-page',
  times: 'text',
  text: `
    SELECT page.*, counted.total
    FROM (SELECT count(*)::int AS total FROM members m WHERE m.organization_id = $1 AND (
      ($4::text IS NULL AND $5::boolean IS NULL) OR EXISTS (SELECT FROM users u WHERE u.id = m.user_id AND ${isWanted}))) AS counted
    LEFT JOIN LATERAL (
      SELECT ${memberColumns} FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND ${isWanted}
      ORDER BY m.created_at, m.user_id LIMIT $2 OFFSET $3) AS page ON true
    ORDER BY page."createdAt", page."userId"`,
});

const membershipsOfUser = statement({
  name: 'organizations-of-user',
  times: 'text',
  owner: 'user',
  text: `
    SELECT o.id, o.name, o.slug, o.created_at AS "createdAt", m.role, o.require_two_factor AS "twoFactorRequired",
      entry.refusal IS NOT DISTINCT FROM 'SSO_REQUIRED' AS "ssoRequired", entry.refusal IS NULL AS accessible
    FROM members m JOIN organizations o ON o.id = m.organization_id
    CROSS JOIN LATERAL (SELECT ${refusalOf({ level: '$2', isOwn: '$3::uuid IS NULL' })} AS refusal) AS entry
    WHERE m.user_id = $1 AND ($3::uuid IS NULL OR m.organization_id = $3)
    ORDER BY o.created_at, o.id`,
});

// Earlier tokens of a user who was just removed, or of an organization, may still be refused: new ones must be issued later
// than those.
const insertMember = statement({
  name: 'member-insert',
  text: `
    INSERT INTO members (organization_id, user_id, role, tokens_from, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, $3::text,
      (SELECT max(issued_before) FROM revocations WHERE organization = $1 AND (sub = $2 OR sub IS NULL)), $4::timestamptz, $4
    ON CONFLICT (organization_id, user_id) DO NOTHING
    RETURNING user_id AS id`,
});
const setRole = statement({
  name: 'member-set-role',
  text: `UPDATE members SET role = $3, updated_at = $4 WHERE organization_id = $1 AND user_id = $2`,
});
const removeMember = statement({
  name: 'member-remove',
  text: `DELETE FROM members WHERE organization_id = $1 AND user_id = $2`,
});

// An invitation from before would bring them back as well.
const noteRemoval = statement({
  name: 'member-note-removal',
  text: `
    WITH withdrawn AS (
      DELETE FROM invitations i USING users u WHERE i.organization_id = $1 AND u.id = $2 AND i.email = u.email
      RETURNING i.organization_id, i.id, i.token_hash
    ), letters AS (
      DELETE FROM mail_outbox WHERE id IN (SELECT id FROM withdrawn) AND payload IS NOT NULL
    ), ended AS (
      INSERT INTO ended_invitations (organization_id, id, token_hash, ending, ended_at)
      SELECT organization_id, id, token_hash, 'withdrawn', $3 FROM withdrawn
    )
    INSERT INTO removed_members (organization_id, user_id, removed_at) VALUES ($1, $2, $3)
    ON CONFLICT (organization_id, user_id) DO NOTHING`,
});
const forgetRemoval = statement({
  name: 'member-forget-removal',
  text: `DELETE FROM removed_members WHERE organization_id = $1 AND user_id = $2`,
});

const giveBack = unscopedStatement({
  name: 'member-give-back',
  text: `
    UPDATE users SET disabled_at = NULL, disabled_by_organization_id = NULL, updated_at = $3
    WHERE id = $1 AND disabled_by_organization_id = $2
    RETURNING id`,
});

const lockDisabledBy = statement({
  name: 'member-lock-disabled-by',
  owner: 'user',
  text: `
    SELECT u.user_id AS id FROM users AS u (user_id)
    WHERE u.user_id = $1 AND u.disabled_by_organization_id = $2 FOR NO KEY UPDATE`,
});

const organizationIds = statement({
  name: 'member-organization-ids',
  owner: 'user',
  text: `SELECT organization_id AS "organizationId" FROM members WHERE user_id = $1 ORDER BY organization_id`,
});

const otherMembership = statement({
  name: 'member-other-membership',
  owner: 'user',
  text: 'SELECT 1 AS one FROM members WHERE user_id = $1 AND organization_id <> $2 LIMIT 1',
});

const firstMembership = statement({
  name: 'member-first-organization',
  owner: 'user',
  text: `
    SELECT organization_id AS "organizationId" FROM members
    WHERE user_id = $1 ORDER BY created_at, organization_id LIMIT 1`,
});

/**
 * Stores members; the organization, or the user, is that of the scope. Every change of members locks the organization first,
 * then users, lowest id first.
 */
export class MembersRepository {
  /** Locks the organization's members against other changes. @returns whether the organization exists */
  async lockOrganization(tx: Transaction): Promise<boolean> {
    return (await tx.query(lockOrganization, [])).length > 0;
  }

  /** Locks the user's memberships against other changes; undefined if the user no longer exists. */
  async lockUser(tx: Transaction): Promise<User | undefined> {
    const [user] = await tx.query(lockUser, []);
    return user;
  }

  async standing(
    tx: Transaction,
    { actorId, targetId }: { readonly actorId: string; readonly targetId: string },
  ): Promise<Standing> {
    const [standing] = await tx.query(standingOf, [actorId, targetId]);
    return standing ?? { actorRole: null, targetRole: null, otherOwners: false };
  }

  async find(tx: Transaction, userId: string): Promise<Member | undefined> {
    const [member] = await tx.query(memberById, [userId]);
    return member;
  }

  /** All members but one user, lowest id first. */
  listOthers(tx: Transaction, userId: string): Promise<Member[]> {
    return tx.query(otherMembers, [userId]);
  }

  /** The organizations that came with the account of the scope's user, while the user is a member: lowest id first. */
  async listPersonal(tx: Transaction): Promise<string[]> {
    return (await tx.query(personalOrganizations, [])).map(({ id }) => id);
  }

  async list(rows: Rows, { page, pageSize, search, twoFactor }: MembersQuery): Promise<MembersPage> {
    const filters = [search ?? null, twoFactor ?? null] as const;
    const found = await rows.query(membersPage, [pageSize, (page - 1) * pageSize, ...filters]);
    return pageOf(found, 'userId');
  }

  /** The memberships of the scope's user, by the age of the organization, or the one that a session is confined to. */
  listOfUser(
    rows: Rows,
    { acr, confinement }: Pick<Principal['session'], 'acr' | 'confinement'>,
  ): Promise<ListedMembership[]> {
    return rows.query(membershipsOfUser, [acr, confinement?.organizationId ?? null]);
  }

  /** @returns whether the user was not a member before */
  async insert(tx: Transaction, { userId, role, at }: HeldRole): Promise<boolean> {
    return (await tx.query(insertMember, [userId, role, at])).length > 0;
  }

  async setRole(tx: Transaction, { userId, role, at }: HeldRole): Promise<void> {
    await tx.query(setRole, [userId, role, at]);
  }

  async remove(tx: Transaction, userId: string): Promise<void> {
    await tx.query(removeMember, [userId]);
  }

  /** Others have removed the user, who does not come back without them: what they were offered before is withdrawn. */
  async noteRemoval(tx: Transaction, { userId, at }: Omit<HeldRole, 'role'>): Promise<void> {
    await tx.query(noteRemoval, [userId, at]);
  }

  /** The user is let in again. */
  async forgetRemoval(tx: Transaction, userId: string): Promise<void> {
    await tx.query(forgetRemoval, [userId]);
  }

  /** Enables an account that the organization disabled. @returns whether it had */
  async giveBack(tx: Transaction, { userId, organizationId }: Place, at: Date): Promise<boolean> {
    return (await tx.query(giveBack, [userId, organizationId, at])).length > 0;
  }

  /** Locks the user of the scope. @returns whether the organization has disabled the account */
  async lockDisabledBy(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.query(lockDisabledBy, [organizationId])).length > 0;
  }

  /** The organizations of the scope's user, lowest id first: the order in which they are locked. */
  async organizationIds(rows: Rows): Promise<string[]> {
    const found = await rows.query(organizationIds, []);
    return found.map(({ organizationId }) => organizationId);
  }

  /** Whether the user of the scope belongs to another organization as well. */
  async belongsToOthers(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.query(otherMembership, [organizationId])).length > 0;
  }

  /** An organization that the user is a member of, the oldest membership first. */
  async firstMembership(tx: Transaction): Promise<string | undefined> {
    const [first] = await tx.query(firstMembership, []);
    return first?.organizationId;
  }
}
