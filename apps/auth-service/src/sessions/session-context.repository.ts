import type { BoundClient, Membership } from '../ground/index.ts';
import type { Confinement, RefusedOrganization, SessionContext } from './session.ts';
import { statement } from '../database.ts';
import type { Statements } from '../statements.types.ts';

/** Columns of a user, a session and a membership, side by side in one row. */
type ContextRow = Statements['session-live']['row'];
/** As {@link ContextRow}, where there is no session yet. */
type PlaceRow = Statements['session-resume']['row'] | Statements['session-enter']['row'];

const hourMs = 60 * 60 * 1_000;

/** The time after which a session must have been active to be alive. */
export type ActiveSince = (at: Date) => Date;

/** Hours without use after which a session ends; 0 means that it lives until it expires. */
export function idleSince(hours: number): ActiveSince {
  if (hours === 0) return () => new Date(0);
  return (at) => new Date(at.getTime() - hours * hourMs);
}

/**
 * The authentication level of a session. The previous version writes no `acr`, and knows only the factors named here.
 */
export const levelOf = (session: string) => `CASE WHEN ${session}.factors && '{otp,backup}' THEN 'aal2'
  WHEN ${session}.factors = '{pwd}' THEN 'aal1' ELSE coalesce(${session}.acr, 'aal1') END`;

export const userColumns = `u.id AS "userId", u.email, u.name AS "userName"`;
export const sessionColumns = `s.id AS "sessionId", s.confined_to AS "confinedTo", s.connection_id AS "connectionId",
  s.device_id AS "deviceId", s.user_agent AS "userAgent", host(s.ip_address) AS "ipAddress",
  host(s.other_ip_address) AS "otherIpAddress", s.factors AS amr, ${levelOf('s')} AS acr, s.authenticated_at AS "authenticatedAt", s.created_at AS "createdAt", s.expires_at AS "expiresAt"`;
/** Whether a session reaches the organization with this id. */
export const reaches = (session: string, organizationId: string) =>
  `(${session}.confined_to IS NULL OR ${session}.confined_to = ${organizationId})`;

/** A session, or a sign-in under way, as the requirements of an organization see it. */
interface Entrant {
  readonly level: string;
  /** Whether it is the user's own, and not of a connection. */
  readonly isOwn: string;
}

export const entrantIn = (session: string): Entrant => ({
  level: levelOf(session),
  isOwn: `${session}.confined_to IS NULL`,
});
const ownSignIn: Entrant = { level: '$2', isOwn: 'true' };
const confinedSignIn: Entrant = { level: '$2', isOwn: 'false' };

// Organizations that require no single sign-on pay for no more than the first comparison.
const concernedBySso = ({ isOwn }: Entrant) => `o.require_sso AND ${isOwn} AND (m.left_domain OR EXISTS (
  SELECT FROM users p JOIN domain_keys d ON d.domain = substring(p.email FROM '[^@]*$')
  WHERE p.id = $1 AND d.organization = o.id))`;
const isStrongOwner = ({ level }: Entrant) => `m.role = 'owner' AND ${level} = 'aal2'`;
/** Whether the organization `o` requires single sign-on of its member `m`, the user $1, who comes without it and may not. */
const ssoMissing = (entrant: Entrant) => `${concernedBySso(entrant)} AND NOT (${isStrongOwner(entrant)})`;
/** Whether the organization `o` requires a second factor that is missing. */
const twoFactorMissing = ({ level }: Entrant) => `o.require_two_factor AND ${level} <> 'aal2'`;
/** Why the organization `o` does not let its member `m` in, the user $1; null where it does. Owners have a way of their own. */
export const refusalOf = (entrant: Entrant) => `CASE
    WHEN ${ssoMissing(entrant)} THEN CASE m.role WHEN 'owner' THEN 'TWO_FACTOR_REQUIRED' ELSE 'SSO_REQUIRED' END
    WHEN ${twoFactorMissing(entrant)} THEN 'TWO_FACTOR_REQUIRED' END`;

/** @param announcedTo the organizations whose owners have heard that this one of them is in without single sign-on */
export const membershipColumns = (
  entrant: Entrant,
  announcedTo: string,
) => `o.id AS "organizationId", o.name AS "organizationName", o.slug,
  o.created_at AS "organizationCreatedAt", m.role, ${refusalOf(entrant)} AS refusal,
  o.require_sso AND ${isStrongOwner(entrant)} AND o.id <> ALL (${announcedTo})
    AND ${concernedBySso(entrant)} AS "isUnannounced"`;
export const sessionMembershipColumns = membershipColumns(entrantIn('s'), 's.announced_to');
const noneAnnounced = `'{}'::uuid[]`;
// From the same row as the role: a reader of a former role also reads when its tokens become invalid.
export const tokensFrom = 'greatest(u.tokens_from, m.tokens_from) AS "tokensFrom"';

/**
 * Chooses the organization in which a user resumes: the last active one, if they are still a member and meet its requirements.
 * The update locks the user's row, so that sign-ins of one user pass here one after the other.
 */
export const resumeOrganization = statement({
  name: 'session-resume',
  owner: 'user',
  text: `
    WITH resumed AS (
      UPDATE users SET last_organization_id = (
        SELECT m.organization_id FROM members m JOIN organizations o ON o.id = m.organization_id
        WHERE m.user_id = $1
        ORDER BY ${refusalOf(ownSignIn)} IS NOT NULL, m.organization_id = users.last_organization_id DESC NULLS LAST,
          m.created_at, m.organization_id
        LIMIT 1), awaits_confirmation = false
      WHERE id = $1 AND disabled_at IS NULL
      RETURNING id, email, name, last_organization_id, tokens_from, old.last_organization_id AS former_organization_id
    )
    SELECT ${userColumns}, ${membershipColumns(ownSignIn, noneAnnounced)}, ${tokensFrom},
      former.id AS "refusedOrganizationId", former.refusal AS "formerRefusal"
    FROM resumed u
    LEFT JOIN members m ON m.user_id = $1 AND m.organization_id = u.last_organization_id
    LEFT JOIN organizations o ON o.id = m.organization_id
    LEFT JOIN LATERAL (
      SELECT o.id, ${refusalOf(ownSignIn)} AS refusal
      FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = $1 AND m.organization_id = u.former_organization_id
        AND m.organization_id <> u.last_organization_id) AS former ON former.refusal IS NOT NULL`,
});

/**
 * The organization in which a confined session starts: nothing is written, so that the user's next own session resumes where the
 * last one was. Locks the user, as {@link resumeOrganization} does.
 */
export const enterOrganization = statement({
  name: 'session-enter',
  owner: 'user',
  text: `
    WITH entering AS (
      SELECT id, email, name, tokens_from FROM users WHERE id = $1 AND disabled_at IS NULL FOR NO KEY UPDATE)
    SELECT ${userColumns}, ${membershipColumns(confinedSignIn, noneAnnounced)}, ${tokensFrom}
    FROM entering u
    LEFT JOIN members m ON m.user_id = $1 AND m.organization_id = $3
    LEFT JOIN organizations o ON o.id = m.organization_id`,
});

/** The live session with its user and the membership. */
export const liveSession = statement({
  name: 'session-live',
  owner: 'user',
  text: `
    SELECT ${userColumns}, ${sessionColumns}, ${sessionMembershipColumns}, ${tokensFrom}
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    LEFT JOIN members m ON m.user_id = s.user_id AND m.organization_id = $3 AND ${reaches('s', 'm.organization_id')}
    LEFT JOIN organizations o ON o.id = m.organization_id
    WHERE s.user_id = $1 AND s.id = $2 AND s.revoked_at IS NULL AND s.expires_at > $4 AND s.last_active_at > $5
      AND u.disabled_at IS NULL`,
});

/** Makes an organization of the user the active one. */
export const activateOrganization = statement({
  name: 'session-activate-organization',
  owner: 'user',
  // The user's row first, as at sign-in: the same lock order everywhere prevents deadlocks.
  text: `
    WITH u AS (
      UPDATE users SET last_organization_id =
        CASE WHEN live.confined_to IS NULL THEN m.organization_id ELSE users.last_organization_id END
      FROM members m JOIN organizations o ON o.id = m.organization_id, sessions live
      WHERE (${refusalOf(entrantIn('live'))}) IS NULL AND users.id = $1 AND users.disabled_at IS NULL
        AND m.user_id = $1 AND m.organization_id = $3 AND ${reaches('live', 'm.organization_id')}
        AND live.user_id = $1 AND live.id = $2 AND live.revoked_at IS NULL
        AND live.expires_at > $4 AND live.last_active_at > $5
      RETURNING users.*, m.organization_id, m.role, m.left_domain, m.tokens_from AS member_tokens_from
    ), s AS (
      UPDATE sessions SET active_organization_id = u.organization_id, last_active_at = $4
      FROM u WHERE sessions.user_id = $1 AND sessions.id = $2 AND sessions.revoked_at IS NULL
      RETURNING sessions.*
    )
    SELECT ${userColumns}, ${sessionColumns}, ${sessionMembershipColumns},
      greatest(u.tokens_from, u.member_tokens_from) AS "tokensFrom"
    FROM u JOIN u AS m ON m.id = u.id JOIN s ON s.user_id = u.id JOIN organizations o ON o.id = u.organization_id`,
});

/** The user, session and organization of a row; `asOf` is from before it was read. */
export function contextOf(row: ContextRow, asOf: Date): SessionContext {
  const { sessionId, amr, acr, authenticatedAt, createdAt, expiresAt } = row;
  const client = clientOf(row);
  const confinement = confinementOf(row);
  const session = { id: sessionId, client, amr, acr, authenticatedAt, createdAt, expiresAt, confinement };
  return { ...placeOf(row), session, asOf };
}

/** The user and organization of a row. */
export function placeOf(row: ContextRow | PlaceRow): Omit<SessionContext, 'session' | 'asOf'> {
  return {
    user: { id: row.userId, email: row.email, name: row.userName },
    organization: membershipOf(row),
    refusal: row.refusal,
    organizationRefused: refusedOf(row),
    isUnannounced: row.isUnannounced === true,
    tokensFrom: row.tokensFrom,
  };
}

/** What a session or a sign-in under way is confined to; null for one of the user's own. */
export function confinementOf({
  confinedTo: organizationId,
  connectionId,
}: Pick<ContextRow, 'confinedTo' | 'connectionId'>): Confinement | null {
  return organizationId === null || connectionId === null ? null : { organizationId, connectionId };
}

/** What a session is bound to. */
export function clientOf({ deviceId, userAgent, ipAddress, otherIpAddress }: BoundClient): BoundClient {
  return { deviceId, userAgent, ipAddress, otherIpAddress };
}

/** The organization of a row whose requirements its member does not meet. */
function refusedOf(row: ContextRow | PlaceRow): RefusedOrganization | null {
  const { organizationId, refusal } = row;
  if (organizationId !== null && refusal !== null) return { organizationId, reason: refusal };
  if (!('refusedOrganizationId' in row)) return null;
  const { refusedOrganizationId: former, formerRefusal } = row;
  return former === null || formerRefusal === null ? null : { organizationId: former, reason: formerRefusal };
}

/** The membership of a row; null if there is none, or if the user is not let in. */
function membershipOf(row: ContextRow | PlaceRow): Membership | null {
  if (row.organizationId === null || row.role === null || row.refusal !== null) return null;
  const { organizationId: id, organizationName: name, slug, organizationCreatedAt, role } = row;
  return { id, name, slug, createdAt: organizationCreatedAt.toISOString(), role };
}
