import { statement, type Rows } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';
import {
  clientOf,
  contextOf,
  entrantIn,
  reaches,
  refusalOf,
  sessionColumns,
  sessionMembershipColumns,
  tokensFrom,
  userColumns,
  type ActiveSince,
} from '../session-context.repository.ts';
import type { SessionContext, SessionLookup } from '../session.ts';
import type { RefreshState } from './refresh-verdict.ts';

/** A change from one refresh token to the next, made only if all of this still holds. */
interface Rotation extends SessionLookup {
  readonly generation: number;
  readonly hash: Buffer;
  readonly nextHash: Buffer;
  /** The device that the session must be bound to; null for any. */
  readonly device: string | null;
  /** Whether the session must also be bound to the place. */
  readonly bindsPlace: boolean;
  /** A network in CIDR notation; null for a client without an address. */
  readonly place: string | null;
  /** Of the client: kept if it is the first of its family. */
  readonly ipAddress: string | null;
}

/** The part of a live session that concerns its refresh tokens. */
export interface RefreshFamily extends RefreshState {
  readonly context: SessionContext;
  readonly lastActiveAt: Date;
}

/** The part of a replaced session that concerns its last refresh token. */
type ContinuedFamily = Statements['session-continued']['row'];

// The requested organization or, by default, the session's own. A user who was removed from that one continues in another.
const membership = (organizationId: string) => `
  LEFT JOIN LATERAL (
    SELECT organization_id, role, tokens_from, left_domain FROM members
    WHERE user_id = $1 AND (${organizationId}::uuid IS NULL OR organization_id = ${organizationId})
      AND ${reaches('s', 'organization_id')}
    ORDER BY organization_id = s.active_organization_id DESC NULLS LAST, created_at, organization_id
    LIMIT 1
  ) m ON true
  LEFT JOIN organizations o ON o.id = m.organization_id`;

/** As `whereaboutsOf` says it: refresh-binding.test.ts compares the two. */
const firstOfFamily = 'other_ip_address IS NULL AND family(ip_address) <> family($11::inet)';

const rotateToken = statement({
  name: 'session-rotate-refresh-token',
  owner: 'user',
  text: `
    WITH s AS (
      UPDATE sessions SET refresh_generation = $6 + 1, refresh_hash = $8, refresh_rotated_at = $4, last_active_at = $4,
        refresh_former_hashes = refresh_hash || refresh_former_hashes[1:1],
        other_ip_address = CASE WHEN ${firstOfFamily} THEN $11 ELSE other_ip_address END
      WHERE user_id = $1 AND id = $2 AND refresh_generation = $6 AND refresh_hash = $7
        AND revoked_at IS NULL AND expires_at > $4 AND last_active_at > $5
        AND ($9::text IS NULL OR coalesce(device_id, device_products, '') = $9)
        AND (NOT $12::boolean OR ip_address <<= $10 OR other_ip_address <<= $10 OR ${firstOfFamily}
          OR ($10::inet IS NULL AND ip_address IS NULL))
        AND EXISTS (SELECT FROM users WHERE id = $1 AND disabled_at IS NULL)
        AND ($3::uuid IS NULL OR EXISTS (
          SELECT FROM members m JOIN organizations o ON o.id = m.organization_id
          WHERE m.user_id = $1 AND m.organization_id = $3 AND ${reaches('sessions', 'm.organization_id')}
            AND (${refusalOf(entrantIn('sessions'))}) IS NULL))
      RETURNING *
    )
    SELECT ${userColumns}, ${sessionColumns}, ${sessionMembershipColumns}, ${tokensFrom}
    FROM s JOIN users u ON u.id = s.user_id ${membership('$3')}`,
});

const familyColumns = `s.refresh_generation AS generation, s.refresh_hash AS hash,
  s.refresh_former_hashes AS "formerHashes", s.refresh_rotated_at AS "rotatedAt"`;

const familyOfSession = statement({
  name: 'session-refresh-family',
  owner: 'user',
  text: `
    SELECT ${userColumns}, ${sessionColumns}, ${sessionMembershipColumns}, ${tokensFrom}, ${familyColumns},
      s.last_active_at AS "lastActiveAt"
    FROM sessions s JOIN users u ON u.id = s.user_id ${membership('$3')}
    WHERE s.user_id = $1 AND s.id = $2 AND s.revoked_at IS NULL AND s.expires_at > $4 AND s.last_active_at > $5
      AND u.disabled_at IS NULL`,
});

const continuedFamily = statement({
  name: 'session-continued',
  owner: 'user',
  text: `
    SELECT ${familyColumns}, s.continued_by AS "continuedBy"
    FROM sessions s WHERE s.user_id = $1 AND s.id = $2 AND s.continued_by IS NOT NULL AND s.expires_at > $3`,
});

const catchUpSession = statement({
  name: 'session-catch-up',
  owner: 'user',
  text: `
    UPDATE sessions
    SET refresh_generation = $3, refresh_hash = $4, refresh_former_hashes = '{}', refresh_rotated_at = $5
    WHERE user_id = $1 AND id = $2 AND refresh_generation < $3`,
});

const touchSession = statement({
  name: 'session-touch',
  owner: 'user',
  text: `UPDATE sessions SET last_active_at = $3 WHERE user_id = $1 AND id = $2 AND last_active_at < $3`,
});

/**
 * Stores families of refresh tokens in their sessions. The user is that of the scope; the organization of a look-up is the one
 * that the next access token is for, null for the session's own.
 */
export class RefreshRepository {
  readonly #activeSince: ActiveSince;

  constructor(activeSince: ActiveSince) {
    this.#activeSince = activeSince;
  }

  /** Makes the next token the current one and returns the subject of the access token, in one statement. */
  async rotate(rows: Rows, rotation: Rotation): Promise<SessionContext | undefined> {
    const { sessionId, organizationId, at, ...change } = rotation;
    const { generation, hash, nextHash, device, place, ipAddress, bindsPlace } = change;
    const lookup = [sessionId, organizationId, at, this.#activeSince(at)] as const;
    const values = [...lookup, generation, hash, nextHash, device, place, ipAddress, bindsPlace] as const;
    const [row] = await rows.query(rotateToken, values);
    return row && contextOf(row, at);
  }

  /** The family of a live session; its organization is null where the user is not a member. */
  async find(rows: Rows, lookup: SessionLookup): Promise<RefreshFamily | undefined> {
    const { sessionId, organizationId, at } = lookup;
    const [row] = await rows.query(familyOfSession, [sessionId, organizationId, at, this.#activeSince(at)]);
    return row && { ...row, bound: clientOf(row), context: contextOf(row, at) };
  }

  /** The family of a session that ended because another one continues it. */
  async findContinued(
    rows: Rows,
    { sessionId, at }: Pick<SessionLookup, 'sessionId' | 'at'>,
  ): Promise<ContinuedFamily | undefined> {
    return (await rows.query(continuedFamily, [sessionId, at]))[0];
  }

  /** Advances a session, after a restore of the database, to the token that it had issued. */
  async catchUp(
    rows: Rows,
    { sessionId, generation, hash, at }: Pick<Rotation, 'sessionId' | 'generation' | 'hash' | 'at'>,
  ): Promise<void> {
    await rows.query(catchUpSession, [sessionId, generation, hash, at]);
  }

  /** Records that the session is in use. */
  async touch(rows: Rows, { sessionId, at }: Pick<SessionLookup, 'sessionId' | 'at'>): Promise<void> {
    await rows.query(touchSession, [sessionId, at]);
  }
}
