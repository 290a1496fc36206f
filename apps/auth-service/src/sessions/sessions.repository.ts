import { statement } from '@tenantry/tenancy';
import type { AuthDatabase, Transaction } from '../database.ts';
import type { Client } from './client.ts';
import {
  activateOrganization,
  contextOf,
  liveSession,
  membershipOf,
  resumeOrganization,
  userOf,
} from './session-context.repository.ts';
import type { ListedSession, Session, SessionContext } from './session.ts';

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
  resume(tx: Transaction): Promise<Omit<SessionContext, 'session' | 'asOf'> | undefined>;
  /** Ends the oldest live sessions but `keep`, says which, and forgets those that have expired. */
  makeRoom(tx: Transaction, room: { readonly keep: number; readonly at: Date }): Promise<string[]>;
  insert(tx: Transaction, session: NewSession): Promise<void>;
  /** The live session with its user and the membership, in one query. */
  findLive(lookup: SessionLookup): Promise<SessionContext | undefined>;
  /** Makes an organization the active one, if the user is a member; `undefined` when not. */
  activate(lookup: SessionLookup & { organizationId: string }): Promise<SessionContext | undefined>;
  listLive(userId: string, at: Date): Promise<ListedSession[]>;
  /** Whether there was a live session to end. */
  revoke(tx: Transaction, session: Pick<SessionLookup, 'sessionId' | 'at'>): Promise<boolean>;
}

const forgetExpired = statement<never, [at: Date]>({
  name: 'sessions-forget-expired',
  owner: 'user',
  text: `DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2`,
});

const revokeOldest = statement<{ id: string }, [at: Date, keep: number]>({
  name: 'sessions-revoke-oldest',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $2
    WHERE user_id = $1 AND id IN (
      SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL
      ORDER BY created_at DESC, id DESC OFFSET $3)
    RETURNING id`,
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
      return row && { user: userOf(row), organization: membershipOf(row), tokensFrom: row.tokensFrom };
    },

    async makeRoom(tx, { keep, at }) {
      await tx.query(forgetExpired, [at]);
      const revoked = await tx.query(revokeOldest, [at, keep]);
      return revoked.map(({ id }) => id);
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
      return row && contextOf(row, at);
    },

    async activate({ userId, sessionId, organizationId, at }) {
      const [row] = await scopeOf(userId).query(activateOrganization, [sessionId, organizationId, at]);
      return row && contextOf(row, at);
    },

    listLive: (userId, at) => scopeOf(userId).query(liveSessions, [at]),

    async revoke(tx, { sessionId, at }) {
      const revoked = await tx.query(revokeSession, [sessionId, at]);
      return revoked.length > 0;
    },
  };
}
