import { statement } from '@tenantry/tenancy';
import type { AuthDatabase, Transaction } from '../database.ts';
import type { Client } from './client.ts';
import type { ListedSession, Membership, Session, SessionContext, SessionUser } from './session.ts';

/** A session about to start. */
export interface NewSession extends Session {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly client: Client;
}

/** One session of one user, in one organization, at one moment. */
export interface SessionLookup {
  readonly userId: string;
  readonly sessionId: string;
  readonly organizationId: string | null;
  readonly at: Date;
}

/** Where sessions are kept. */
export interface SessionsRepository {
  transaction<Result>(userId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Decides where a user resumes, and makes further sign-ins of the same user wait for this transaction. */
  resume(tx: Transaction): Promise<Pick<SessionContext, 'user' | 'organization'> | undefined>;
  /** Ends the oldest live sessions but `keep`, and forgets those that have expired. */
  makeRoom(tx: Transaction, room: { readonly keep: number; readonly at: Date }): Promise<void>;
  insert(tx: Transaction, session: NewSession): Promise<void>;
  /** The live session with its user and the membership, in one query. */
  findLive(lookup: SessionLookup): Promise<SessionContext | undefined>;
  /** Makes an organization the active one, if the user is a member; `undefined` when not. */
  activate(lookup: SessionLookup & { organizationId: string }): Promise<SessionContext | undefined>;
  listLive(userId: string, at: Date): Promise<ListedSession[]>;
  /** Whether there was a live session to end. */
  revoke(lookup: Omit<SessionLookup, 'organizationId'>): Promise<boolean>;
}

/** Columns of a user, a session and a membership, side by side in one row. */
interface ContextRow {
  readonly userId: string;
  readonly email: string;
  readonly userName: string;
  readonly sessionId: string;
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly organizationId: string | null;
  readonly organizationName: string;
  readonly slug: string;
  readonly organizationCreatedAt: Date;
  readonly role: Membership['role'];
}
type ResumeRow = Omit<ContextRow, 'sessionId' | 'authenticatedAt' | 'createdAt' | 'expiresAt'>;

const userColumns = `u.id AS "userId", u.email, u.name AS "userName"`;
const sessionColumns = `s.id AS "sessionId", s.authenticated_at AS "authenticatedAt",
  s.created_at AS "createdAt", s.expires_at AS "expiresAt"`;
const membershipColumns = `o.id AS "organizationId", o.name AS "organizationName", o.slug,
  o.created_at AS "organizationCreatedAt", m.role`;

// The update locks the user's row, so that sign-ins of one user pass here one after the other.
const resumeOrganization = statement<ResumeRow>({
  name: 'session-resume',
  owner: 'user',
  text: `
    WITH resumed AS (
      UPDATE users SET last_organization_id = (
        SELECT m.organization_id FROM members m WHERE m.user_id = $1
        ORDER BY m.organization_id = users.last_organization_id DESC NULLS LAST, m.created_at, m.organization_id
        LIMIT 1)
      WHERE id = $1 AND disabled_at IS NULL
      RETURNING id, email, name, last_organization_id
    )
    SELECT ${userColumns}, ${membershipColumns}
    FROM resumed u
    LEFT JOIN members m ON m.user_id = u.id AND m.organization_id = u.last_organization_id
    LEFT JOIN organizations o ON o.id = m.organization_id`,
});

const forgetExpired = statement<never, [at: Date]>({
  name: 'sessions-forget-expired',
  owner: 'user',
  text: `DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2`,
});

const revokeOldest = statement<never, [at: Date, keep: number]>({
  name: 'sessions-revoke-oldest',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $2
    WHERE user_id = $1 AND id IN (
      SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL
      ORDER BY created_at DESC, id DESC OFFSET $3)`,
});

const insertSession = statement<
  never,
  [
    id: string,
    organizationId: string | null,
    deviceId: string | null,
    userAgent: string | null,
    ipAddress: string | null,
    authenticatedAt: Date,
    createdAt: Date,
    expiresAt: Date,
  ]
>({
  name: 'session-insert',
  owner: 'user',
  text: `
    INSERT INTO sessions (user_id, id, active_organization_id, device_id, user_agent, ip_address,
      authenticated_at, created_at, last_active_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
});

const liveSession = statement<ContextRow, [sessionId: string, organizationId: string | null, at: Date]>({
  name: 'session-live',
  owner: 'user',
  text: `
    SELECT ${userColumns}, ${sessionColumns}, ${membershipColumns}
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    LEFT JOIN members m ON m.user_id = s.user_id AND m.organization_id = $3
    LEFT JOIN organizations o ON o.id = m.organization_id
    WHERE s.user_id = $1 AND s.id = $2 AND s.revoked_at IS NULL AND s.expires_at > $4 AND u.disabled_at IS NULL`,
});

const activateOrganization = statement<ContextRow, [sessionId: string, organizationId: string, at: Date]>({
  name: 'session-activate-organization',
  owner: 'user',
  // The user's row first, as at sign-in: the same order everywhere, so that the two cannot deadlock.
  text: `
    WITH u AS (
      UPDATE users SET last_organization_id = m.organization_id
      FROM members m, sessions live
      WHERE users.id = $1 AND m.user_id = $1 AND m.organization_id = $3
        AND live.user_id = $1 AND live.id = $2 AND live.revoked_at IS NULL AND live.expires_at > $4
      RETURNING users.*, m.role
    ), s AS (
      UPDATE sessions SET active_organization_id = u.last_organization_id, last_active_at = $4
      FROM u WHERE sessions.user_id = $1 AND sessions.id = $2 AND sessions.revoked_at IS NULL
      RETURNING sessions.*
    )
    SELECT ${userColumns}, ${sessionColumns}, ${membershipColumns}
    FROM u JOIN u AS m ON m.id = u.id JOIN s ON s.user_id = u.id JOIN organizations o ON o.id = u.last_organization_id`,
});

const liveSessions = statement<ListedSession, [at: Date]>({
  name: 'sessions-live',
  owner: 'user',
  text: `
    SELECT id, device_id AS "deviceId", user_agent AS "userAgent", host(ip_address) AS "ipAddress",
      authenticated_at AS "authenticatedAt", created_at AS "createdAt", last_active_at AS "lastActiveAt",
      expires_at AS "expiresAt", active_organization_id AS "organizationId"
    FROM sessions
    WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2
    ORDER BY created_at DESC, id DESC`,
});

const revokeSession = statement<{ id: string }, [sessionId: string, at: Date]>({
  name: 'session-revoke',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $3
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3
    RETURNING id`,
});

/** Sessions in PostgreSQL, each query inside the scope of their user. */
export function createSessionsRepository(database: AuthDatabase): SessionsRepository {
  const scopeOf = (userId: string) => database.within({ userId });

  return {
    transaction: (userId, work) => scopeOf(userId).transaction(work),

    async resume(tx) {
      const [row] = await tx.query(resumeOrganization, []);
      return row && { user: userOf(row), organization: membershipOf(row) };
    },

    async makeRoom(tx, { keep, at }) {
      await tx.query(forgetExpired, [at]);
      await tx.query(revokeOldest, [at, keep]);
    },

    async insert(tx, { id, organizationId, client, authenticatedAt, createdAt, expiresAt }) {
      const { deviceId, userAgent, ipAddress } = client;
      await tx.query(insertSession, [
        id,
        organizationId,
        deviceId,
        userAgent,
        ipAddress,
        authenticatedAt,
        createdAt,
        expiresAt,
      ]);
    },

    async findLive({ userId, sessionId, organizationId, at }) {
      const [row] = await scopeOf(userId).query(liveSession, [sessionId, organizationId, at]);
      return row && contextOf(row);
    },

    async activate({ userId, sessionId, organizationId, at }) {
      const [row] = await scopeOf(userId).query(activateOrganization, [sessionId, organizationId, at]);
      return row && contextOf(row);
    },

    listLive: (userId, at) => scopeOf(userId).query(liveSessions, [at]),

    async revoke({ userId, sessionId, at }) {
      const revoked = await scopeOf(userId).query(revokeSession, [sessionId, at]);
      return revoked.length > 0;
    },
  };
}

function contextOf(row: ContextRow): SessionContext {
  const { sessionId, authenticatedAt, createdAt, expiresAt } = row;
  return {
    user: userOf(row),
    session: { id: sessionId, authenticatedAt, createdAt, expiresAt },
    organization: membershipOf(row),
  };
}

function userOf({ userId, email, userName }: ResumeRow): SessionUser {
  return { id: userId, email, name: userName };
}

function membershipOf(row: ResumeRow): Membership | null {
  const { organizationId, organizationName, slug, organizationCreatedAt, role } = row;
  if (organizationId === null) return null;
  return { id: organizationId, name: organizationName, slug, createdAt: organizationCreatedAt, role };
}
