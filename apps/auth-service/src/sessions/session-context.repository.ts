import type { BoundClient, Membership } from '../ground/index.ts';
import type { RefusedOrganization, SessionContext } from './session.ts';
import { statement } from '../database.ts';
import type { Statements } from '../statements.types.ts';

/** Columns of a user, a session and a membership, side by side in one row. */
type ContextRow = Statements['session-live']['row'];
/** As {@link ContextRow}, where there is no session yet. */
type ResumeRow = Statements['session-resume']['row'];

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
export const sessionColumns = `s.id AS "sessionId", s.device_id AS "deviceId", s.user_agent AS "userAgent",
  host(s.ip_address) AS "ipAddress", host(s.other_ip_address) AS "otherIpAddress", s.factors AS amr, ${levelOf('s')} AS acr,
  s.authenticated_at AS "authenticatedAt", s.created_at AS "createdAt", s.expires_at AS "expiresAt"`;
/** Whether the organization `o` requires a second factor that an authentication of this level lacks. */
export const twoFactorMissing = (level: string) => `o.require_two_factor AND ${level} <> 'aal2'`;
export const membershipColumns = (
  level: string,
) => `o.id AS "organizationId", o.name AS "organizationName", o.slug,
  o.created_at AS "organizationCreatedAt", m.role, ${twoFactorMissing(level)} AS "twoFactorMissing"`;
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
        ORDER BY ${twoFactorMissing('$2')}, m.organization_id = users.last_organization_id DESC NULLS LAST,
          m.created_at, m.organization_id
        LIMIT 1), awaits_confirmation = false
      WHERE id = $1 AND disabled_at IS NULL
      RETURNING id, email, name, last_organization_id, tokens_from, old.last_organization_id AS former_organization_id
    )
    SELECT ${userColumns}, ${membershipColumns('$2')}, ${tokensFrom}, (
      SELECT o.id FROM members former JOIN organizations o ON o.id = former.organization_id
      WHERE former.user_id = $1 AND former.organization_id = u.former_organization_id
        AND former.organization_id <> u.last_organization_id AND ${twoFactorMissing('$2')}) AS "refusedOrganizationId"
    FROM resumed u
    LEFT JOIN members m ON m.user_id = $1 AND m.organization_id = u.last_organization_id
    LEFT JOIN organizations o ON o.id = m.organization_id`,
});

/** The live session with its user and the membership. */
export const liveSession = statement({
  name: 'session-live',
  owner: 'user',
  text: `
    SELECT ${userColumns}, ${sessionColumns}, ${membershipColumns(levelOf('s'))}, ${tokensFrom}
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    LEFT JOIN members m ON m.user_id = s.user_id AND m.organization_id = $3
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
      UPDATE users SET last_organization_id = m.organization_id
      FROM members m JOIN organizations o ON o.id = m.organization_id, sessions live
      WHERE NOT (${twoFactorMissing(levelOf('live'))}) AND users.id = $1 AND users.disabled_at IS NULL
        AND m.user_id = $1 AND m.organization_id = $3
        AND live.user_id = $1 AND live.id = $2 AND live.revoked_at IS NULL
        AND live.expires_at > $4 AND live.last_active_at > $5
      RETURNING users.*, m.role, m.tokens_from AS member_tokens_from
    ), s AS (
      UPDATE sessions SET active_organization_id = u.last_organization_id, last_active_at = $4
      FROM u WHERE sessions.user_id = $1 AND sessions.id = $2 AND sessions.revoked_at IS NULL
      RETURNING sessions.*
    )
    SELECT ${userColumns}, ${sessionColumns}, ${membershipColumns(levelOf('s'))},
      greatest(u.tokens_from, u.member_tokens_from) AS "tokensFrom"
    FROM u JOIN u AS m ON m.id = u.id JOIN s ON s.user_id = u.id JOIN organizations o ON o.id = u.last_organization_id`,
});

/** The user, session and organization of a row; `asOf` is from before it was read. */
export function contextOf(row: ContextRow, asOf: Date): SessionContext {
  const { sessionId, amr, acr, authenticatedAt, createdAt, expiresAt } = row;
  const client = clientOf(row);
  const session = { id: sessionId, client, amr, acr, authenticatedAt, createdAt, expiresAt };
  return { ...placeOf(row), session, asOf };
}

/** The user and organization of a row. */
export function placeOf(row: ContextRow | ResumeRow): Omit<SessionContext, 'session' | 'asOf'> {
  return {
    user: { id: row.userId, email: row.email, name: row.userName },
    organization: membershipOf(row),
    twoFactorMissing: row.twoFactorMissing === true,
    organizationRefused: refusedOf(row),
    tokensFrom: row.tokensFrom,
  };
}

/** What a session is bound to. */
export function clientOf({ deviceId, userAgent, ipAddress, otherIpAddress }: BoundClient): BoundClient {
  return { deviceId, userAgent, ipAddress, otherIpAddress };
}

/** The organization of a row whose requirements its member does not meet. */
function refusedOf(row: ContextRow | ResumeRow): RefusedOrganization | null {
  const { organizationId, twoFactorMissing: isMissing } = row;
  const refusedOrganizationId = 'refusedOrganizationId' in row ? row.refusedOrganizationId : null;
  const refused = isMissing === true ? organizationId : refusedOrganizationId;
  return refused === null ? null : { organizationId: refused, reason: 'TWO_FACTOR_REQUIRED' };
}

/** The membership of a row; null if there is none, or if the user lacks the second factor that it requires. */
function membershipOf(row: ContextRow | ResumeRow): Membership | null {
  if (row.organizationId === null || row.role === null || row.twoFactorMissing === true) return null;
  const { organizationId: id, organizationName: name, slug, organizationCreatedAt, role } = row;
  return { id, name, slug, createdAt: organizationCreatedAt.toISOString(), role };
}
