import { statement } from '@tenantry/tenancy';
import type { AuthDatabase, Transaction } from '../database.ts';
import {
  activateOrganization,
  contextOf,
  liveSession,
  membershipOf,
  resumeOrganization,
  userOf,
} from './session-context.repository.ts';
import type { Factors, ListedSession, Session, SessionContext } from './session.ts';

/** A session about to start. */
export interface NewSession extends Session {
  readonly userId: string;
  readonly organizationId: string | null;
  /** Of its first refresh token. */
  readonly refreshHash: Buffer;
  /** When it begins; one that takes another's place was created earlier. */
  readonly startedAt: Date;
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
  /** Ends all live sessions of the transaction's user, but one if `except` says so, and says which. */
  revokeAll(tx: Transaction, end: { readonly except: string | null; readonly at: Date }): Promise<string[]>;
  forgetSecondFactor(tx: Transaction): Promise<void>;
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
    factors: Factors,
    refreshHash: Buffer,
    authenticatedAt: Date,
    createdAt: Date,
    startedAt: Date,
    expiresAt: Date,
  ]
>({
  name: 'session-insert',
  owner: 'user',
  text: `
    INSERT INTO sessions (user_id, id, active_organization_id, device_id, user_agent, ip_address, factors,
      refresh_generation, refresh_hash, authenticated_at, created_at, refresh_rotated_at, last_active_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $11, $12)`,
});

const liveSessions = statement<ListedSession, [at: Date, activeSince: Date]>({
  name: 'sessions-live',
  owner: 'user',
  text: `
    SELECT id, device_id AS "deviceId", user_agent AS "userAgent", host(ip_address) AS "ipAddress",
      created_at AS "createdAt", last_active_at AS "lastActiveAt",
      expires_at AS "expiresAt", active_organization_id AS "organizationId"
    FROM sessions
    WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND last_active_at > $3
    ORDER BY created_at DESC, id DESC`,
});

const revokeSession = statement<{ id: string }, [sessionId: string, at: Date, activeSince: Date]>({
  name: 'session-revoke',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $3
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3 AND last_active_at > $4
    RETURNING id`,
});

const revokeSessions = statement<{ id: string }, [except: string | null, at: Date, activeSince: Date]>({
  name: 'sessions-revoke-all',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $3
    WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid AND revoked_at IS NULL AND expires_at > $3
      AND last_active_at > $4
    RETURNING id`,
});

const forgetSecondFactors = statement({
  name: 'sessions-forget-second-factor',
  owner: 'user',
  text: `UPDATE sessions SET factors = '{pwd}' WHERE user_id = $1 AND factors <> '{pwd}'`,
});

/** What the repository depends on. */
export interface SessionsRepositoryOptions {
  readonly database: AuthDatabase;
  /** Sessions last active before have ended. */
  readonly activeSince: (at: Date) => Date;
}

/** Sessions in PostgreSQL, each query inside the scope of their user. */
export function createSessionsRepository(options: SessionsRepositoryOptions): SessionsRepository {
  const { database, activeSince } = options;
  const scopeOf = (userId: string) => database.within({ userId });

  return {
    transaction: (userId, work) => scopeOf(userId).transaction(work),

    async resume(tx) {
      const [row] = await tx.query(resumeOrganization, []);
      if (!row) return undefined;
      const { tokensFrom, twoFactorMissing } = row;
      const organization = membershipOf(row);
      return { user: userOf(row), organization, twoFactorMissing: twoFactorMissing === true, tokensFrom };
    },

    async makeRoom(tx, { keep, at }) {
      await tx.query(forgetExpired, [at]);
      const revoked = await tx.query(revokeOldest, [at, keep]);
      return revoked.map(({ id }) => id);
    },

    async insert(tx, { id, organizationId, client, factors, refreshHash, startedAt, ...times }) {
      const { deviceId, userAgent, ipAddress } = client;
      const { authenticatedAt, createdAt, expiresAt } = times;
      await tx.query(insertSession, [
        id,
        organizationId,
        deviceId,
        userAgent,
        ipAddress,
        factors,
        refreshHash,
        authenticatedAt,
        createdAt,
        startedAt,
        expiresAt,
      ]);
    },

    async findLive({ userId, sessionId, organizationId, at }) {
      const values = [sessionId, organizationId, at, activeSince(at)] as const;
      const [row] = await scopeOf(userId).query(liveSession, [...values]);
      return row && contextOf(row, at);
    },

    async activate({ userId, sessionId, organizationId, at }) {
      const values = [sessionId, organizationId, at, activeSince(at)] as const;
      const [row] = await scopeOf(userId).query(activateOrganization, [...values]);
      return row && contextOf(row, at);
    },

    listLive: (userId, at) => scopeOf(userId).query(liveSessions, [at, activeSince(at)]),

    async revoke(tx, { sessionId, at }) {
      const revoked = await tx.query(revokeSession, [sessionId, at, activeSince(at)]);
      return revoked.length > 0;
    },

    async revokeAll(tx, { except, at }) {
      const revoked = await tx.query(revokeSessions, [except, at, activeSince(at)]);
      return revoked.map(({ id }) => id);
    },

    async forgetSecondFactor(tx) {
      await tx.query(forgetSecondFactors, []);
    },
  };
}
