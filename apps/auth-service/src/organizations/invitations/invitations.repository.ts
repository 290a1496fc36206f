import type { Role } from '@tenantry/jwt-verify';
import type { LocatedToken } from '@tenantry/service/tokens';
import { pageOf, type Page } from '@tenantry/tenancy';
import {
  statement,
  unscopedStatement,
  type AuthDatabase,
  type Rows,
  type Transaction,
} from '../../database.ts';
import type { PageQuery } from '../../ground/index.ts';
import type { Statements } from '../../statements.types.ts';

/** An offer of membership to an e-mail address. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** Who sent it; null once the account is gone. */
  readonly invitedBy: { readonly userId: string; readonly name: string } | null;
  /** False of one that an import has prepared, until somebody sends it. */
  readonly isSent: boolean;
  /** ISO 8601 text, as `expiresAt` is. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** How an invitation ended. */
export type InvitationEnding = Statements['invitation-ending']['row']['ending'];

/** An invitation about to be sent. */
interface NewInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly digest: Buffer;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The user who accepts an invitation, and their address; null if any address will do. */
interface InvitationClaim extends TokenKey {
  readonly email: string | null;
  readonly ending: Extract<InvitationEnding, 'accepted' | 'rejected'>;
  readonly at: Date;
}

/** What an invitation offered, and the role that its sender holds now: null once they are no longer a member, or disabled. */
type TakenInvitation = Statements['invitation-take']['row'];

/** An invitation as its recipient sees it before answering, and the role that its sender holds now. */
export type ShownInvitation = Statements['invitation-shown']['row'];

/** A page of open invitations, oldest first. */
export type InvitationsPage = Page<Invitation>;

/** The parts of a mailed token. */
export type TokenKey = Pick<LocatedToken, 'id' | 'digest'>;

const endExpired = statement({
  name: 'invitations-end-expired',
  text: `
    WITH expired AS (
      DELETE FROM invitations WHERE organization_id = $1 AND expires_at <= $2
      RETURNING organization_id, id, token_hash, expires_at
    ), forgotten AS (
      DELETE FROM ended_invitations WHERE organization_id = $1 AND ended_at <= $2 - INTERVAL '30 days'
    )
    INSERT INTO ended_invitations (organization_id, id, token_hash, ending, ended_at)
    SELECT organization_id, id, token_hash, 'expired', expires_at FROM expired`,
});

const insertInvitation = statement({
  name: 'invitation-insert',
  text: `
    WITH replaced AS (
      INSERT INTO ended_invitations (organization_id, id, token_hash, ending, ended_at)
      SELECT organization_id, id, token_hash, 'replaced', $7 FROM invitations
      WHERE organization_id = $1 AND email = $3
    )
    INSERT INTO invitations (organization_id, id, email, role, token_hash, invited_by, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (organization_id, email) DO UPDATE SET id = excluded.id, role = excluded.role,
      token_hash = excluded.token_hash, invited_by = excluded.invited_by, created_at = excluded.created_at,
      expires_at = excluded.expires_at, is_sent = true`,
});

const prepareInvitation = statement({
  name: 'invitation-prepare',
  text: `
    INSERT INTO invitations
      (organization_id, id, email, role, token_hash, invited_by, created_at, expires_at, is_sent)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, false FROM (VALUES (true)) AS once
    WHERE NOT EXISTS (
      SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND u.email = $3)
    ON CONFLICT (organization_id, email) DO NOTHING
    RETURNING id`,
});

const firstOwner = statement({
  name: 'invitations-first-owner',
  text: `
    SELECT m.user_id AS "userId" FROM members m WHERE m.organization_id = $1 AND m.role = 'owner'
    ORDER BY m.created_at, m.user_id LIMIT 1`,
});

const memberByEmail = statement({
  name: 'invitation-member-by-email',
  text: `
    SELECT u.id FROM users u JOIN members m ON m.user_id = u.id
    WHERE m.organization_id = $1 AND u.email = $2`,
});

// Under row-level security not even maintenance can read all organizations at once.
const sliceSize = 500;
const sliceOfOrganizations = unscopedStatement({
  name: 'invitations-sweep-slice',
  text: 'SELECT id FROM organizations WHERE id > $1 ORDER BY id LIMIT $2',
});

// The total comes with an empty page as well: a row of it alone.
const invitationsPage = statement({
  name: 'invitations-page',
  times: 'text',
  text: `
    SELECT page.*, counted.total
    FROM (SELECT count(*)::int AS total FROM invitations WHERE organization_id = $1 AND expires_at > $2) AS counted
    LEFT JOIN LATERAL (
      SELECT i.id, i.email, i.role, i.is_sent AS "isSent", u.id AS "inviterId", u.name AS "inviterName",
        i.created_at AS "createdAt", i.expires_at AS "expiresAt"
      FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
      WHERE i.organization_id = $1 AND i.expires_at > $2
      ORDER BY i.created_at, i.id LIMIT $3 OFFSET $4) AS page ON true
    ORDER BY page."createdAt", page.id`,
});

/** What somebody may grant now: nothing while their account is disabled. */
const roleOf = (userId: string) => `SELECT m.role FROM members m JOIN users s ON s.id = m.user_id
      WHERE m.organization_id = $1 AND m.user_id = ${userId} AND s.disabled_at IS NULL`;

const takeInvitation = statement({
  name: 'invitation-take',
  text: `
    WITH taken AS (
      DELETE FROM invitations
      WHERE organization_id = $1 AND id = $2 AND token_hash = $3 AND ($4::text IS NULL OR email = $4)
        AND expires_at > $5
      RETURNING organization_id, id, token_hash, role, invited_by
    ), kept AS (
      INSERT INTO ended_invitations (organization_id, id, token_hash, ending, ended_at)
      SELECT organization_id, id, token_hash, $6, $5 FROM taken
    )
    SELECT role, (
      ${roleOf('invited_by')}) AS "inviterRole"
    FROM taken`,
});

const endingOfInvitation = statement({
  name: 'invitation-ending',
  text: `
    SELECT ending FROM ended_invitations WHERE organization_id = $1 AND id = $2 AND token_hash = $3
    UNION ALL
    SELECT 'expired' FROM invitations
    WHERE organization_id = $1 AND id = $2 AND token_hash = $3 AND expires_at <= $4`,
});

const shownInvitation = statement({
  name: 'invitation-shown',
  times: 'text',
  text: `
    SELECT o.name AS "organizationName", u.name AS "inviterName", i.email, i.role, i.expires_at AS "expiresAt", (
      ${roleOf('i.invited_by')}) AS "inviterRole"
    FROM invitations i JOIN organizations o ON o.id = i.organization_id LEFT JOIN users u ON u.id = i.invited_by
    WHERE i.organization_id = $1 AND i.id = $2 AND i.token_hash = $3 AND i.expires_at > $4`,
});

/** Withdraws invitations with their letters, which have the same ids. */
const withdrawn = ({ condition, at }: { readonly condition: string; readonly at: '$2' | '$3' }) => `
  WITH gone AS (
    DELETE FROM invitations WHERE organization_id = $1 ${condition} RETURNING organization_id, id, token_hash
  ), letters AS (
    DELETE FROM mail_outbox WHERE id IN (SELECT id FROM gone) AND payload IS NOT NULL
  )
  INSERT INTO ended_invitations (organization_id, id, token_hash, ending, ended_at)
  SELECT organization_id, id, token_hash, 'withdrawn', ${at} FROM gone
  RETURNING id`;

const removeInvitation = statement({
  name: 'invitation-remove',
  text: withdrawn({ condition: 'AND id = $2 AND expires_at > $3', at: '$3' }),
});

const removeInvitations = statement({
  name: 'invitations-remove-all',
  text: withdrawn({ condition: '', at: '$2' }),
});

/**
 * Stores invitations; the organization is that of the scope. A used one is deleted, so it works once. Its outcome is kept for
 * thirty days, without the address.
 */
export class InvitationsRepository {
  /** Adds an invitation in place of an earlier one to the same address, and ends those that have expired. */
  async insert(
    tx: Transaction,
    { id, email, role, digest, invitedBy, createdAt, expiresAt }: NewInvitation,
  ): Promise<void> {
    await tx.query(endExpired, [createdAt]);
    await tx.query(insertInvitation, [id, email, role, digest, invitedBy, createdAt, expiresAt]);
  }

  /** Adds one that is not mailed, unless its address has one or is a member's. @returns whether it did */
  async prepare(
    tx: Transaction,
    { id, email, role, digest, invitedBy, createdAt, expiresAt }: NewInvitation,
  ): Promise<boolean> {
    const values = [id, email, role, digest, invitedBy, createdAt, expiresAt] as const;
    return (await tx.query(prepareInvitation, values)).length > 0;
  }

  /** The owner of the longest standing, in whose name an import prepares invitations. */
  async firstOwner(tx: Transaction): Promise<string | undefined> {
    return (await tx.query(firstOwner, []))[0]?.userId;
  }

  /** Whether a member has the address. */
  async isMember(tx: Transaction, email: string): Promise<boolean> {
    return (await tx.query(memberByEmail, [email])).length > 0;
  }

  async list(
    rows: Rows,
    { at, page, pageSize }: PageQuery & { readonly at: Date },
  ): Promise<InvitationsPage> {
    const found = await rows.query(invitationsPage, [at, pageSize, (page - 1) * pageSize]);
    const { items, total } = pageOf(found);
    return { items: items.map(invitationOf), total };
  }

  /** Deletes the invitation; undefined if none is open to this token and address. */
  async take(
    tx: Transaction,
    { id, digest, email, ending, at }: InvitationClaim,
  ): Promise<TakenInvitation | undefined> {
    const [taken] = await tx.query(takeInvitation, [id, digest, email, at, ending]);
    return taken;
  }

  /** The open invitation of a token, and what it offers; undefined when there is none. */
  async find(
    rows: Rows,
    { id, digest, at }: TokenKey & { readonly at: Date },
  ): Promise<ShownInvitation | undefined> {
    return (await rows.query(shownInvitation, [id, digest, at]))[0];
  }

  /** The outcome of the invitation of a token; undefined while it is open, and if it is unknown or too old. */
  async endingOf(
    rows: Rows,
    { id, digest, at }: TokenKey & { readonly at: Date },
  ): Promise<InvitationEnding | undefined> {
    return (await rows.query(endingOfInvitation, [id, digest, at]))[0]?.ending;
  }

  /** Withdraws an open invitation, and its letter if that still waits. @returns whether there was one */
  async remove(tx: Transaction, { id, at }: { readonly id: string; readonly at: Date }): Promise<boolean> {
    return (await tx.query(removeInvitation, [id, at])).length > 0;
  }

  /** Withdraws every invitation, and the letters that still wait. */
  async removeAll(tx: Transaction, at: Date): Promise<void> {
    await tx.query(removeInvitations, [at]);
  }

  /**
   * Ends expired invitations, and deletes old outcomes, of the next organizations after one.
   *
   * @returns the last of these; undefined at the end
   */
  async sweep(
    database: AuthDatabase,
    { after, at }: { readonly after: string; readonly at: Date },
  ): Promise<string | undefined> {
    const slice = await database.unscoped.query(sliceOfOrganizations, [after, sliceSize]);
    for (const { id: organizationId } of slice) {
      await database.within({ organizationId }).query(endExpired, [at]);
    }
    return slice.length < sliceSize ? undefined : slice.at(-1)?.id;
  }
}

type Present = Extract<Statements['invitations-page']['row'], { readonly id: string }>;

function invitationOf({ inviterId, inviterName, ...invitation }: Present): Invitation {
  const invitedBy =
    inviterId === null || inviterName === null ? null : { userId: inviterId, name: inviterName };
  return { ...invitation, invitedBy };
}
