import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import { productsOf } from '@tenantry/service/browser';
import { statement, unscopedStatement, type Rows, type Transaction } from '../database.ts';
import { defineSweepBy } from '../ground/index.ts';
import type { Statements } from '../statements.types.ts';
import {
  activateOrganization,
  clientOf,
  contextOf,
  enterOrganization,
  levelOf,
  liveSession,
  placeOf,
  resumeOrganization,
  type ActiveSince,
} from './session-context.repository.ts';
import type { Session, SessionContext, SessionLookup } from './session.ts';

/** A session as its owner sees it in the list: its times are ISO 8601 text. */
export type ListedSession = Statements['sessions-live']['row'];

/** A session about to start. */
export interface NewSession extends Session {
  readonly organizationId: string | null;
  /** Organizations whose owners have heard that one of them is in without the single sign-on that it requires. */
  readonly announcedTo: readonly string[];
  /** Of its first refresh token. */
  readonly refreshHash: Buffer;
  /** When it starts; if it replaces another one, it keeps that one's creation time. */
  readonly startedAt: Date;
}

/** One session, at one moment. */
type SessionNow = Pick<SessionLookup, 'sessionId' | 'at'>;

/** Sessions of a user to end: all, by default. */
export interface EndedSessions {
  /** Only those that use this factor, as named in `amr`. */
  readonly factor?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
  /** All but those of this device, as `boundDevice` names it. */
  readonly device?: string | undefined;
}

/** The organization of a user's next session. */
export interface NextPlace {
  readonly userId: string;
  readonly organizationId: string | null;
}

/** Factors that a user no longer has. */
export interface WithdrawnFactors {
  readonly factors: readonly string[];
  /** The names of all second factors: a session that names none of them any more falls to `aal1`. */
  readonly secondFactors: readonly string[];
  readonly at: Date;
}

/** A session that a sign-in may continue: its binding, and when its user authenticated. */
interface CarriedUpTo extends Pick<Session, 'client' | 'authenticatedAt'> {
  readonly isConfined: boolean;
}

/** A session that has just ended, and the organization that it was confined to. */
type RevokedSession = Statements['session-revoke']['row'];

/** A session that a connection had started. */
type SessionOfConnection = Statements['sessions-end-of-connection']['row'];

/** The state of a session when another one replaced it, with its active organization; a tab's token may be for another. */
type SupersededSession = Statements['session-supersede']['row'];

// The column alias gives the key its usual name.
const lockUser = statement({
  name: 'session-lock-user',
  owner: 'user',
  text: 'SELECT u.user_id AS id FROM users AS u (user_id) WHERE u.user_id = $1 FOR NO KEY UPDATE',
});

const forgetExpired = statement({
  name: 'sessions-forget-expired',
  owner: 'user',
  text: `DELETE FROM sessions WHERE user_id = $1 AND expires_at <= $2`,
});

const revokeOldest = statement({
  name: 'sessions-revoke-oldest',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $2
    WHERE user_id = $1 AND id IN (
      SELECT id FROM sessions
      WHERE user_id = $1 AND revoked_at IS NULL AND confined_to IS NOT DISTINCT FROM $4::uuid
      ORDER BY created_at DESC, id DESC OFFSET $3)
    RETURNING id`,
});

const insertSession = statement({
  name: 'session-insert',
  owner: 'user',
  text: `
    INSERT INTO sessions (user_id, id, active_organization_id, device_id, user_agent, ip_address, other_ip_address,
      device_products, factors, acr, refresh_generation, refresh_hash, authenticated_at, created_at, refresh_rotated_at,
      last_active_at, expires_at, confined_to, connection_id, announced_to)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12, $13, $14, $14, $15, $16, $17, $18)`,
});

const liveSessions = statement({
  name: 'sessions-live',
  times: 'text',
  owner: 'user',
  text: `
    SELECT id, device_id AS "deviceId", user_agent AS "userAgent", host(ip_address) AS "ipAddress",
      created_at AS "createdAt", last_active_at AS "lastActiveAt",
      expires_at AS "expiresAt", active_organization_id AS "organizationId", confined_to AS "confinedTo",
      connection_id AS "connectionId"
    FROM sessions
    WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND last_active_at > $3
    ORDER BY created_at DESC, id DESC`,
});

const revokeSession = statement({
  name: 'session-revoke',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $3
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3 AND last_active_at > $4
    RETURNING id, confined_to AS "confinedTo"`,
});

// A session that was never refreshed is skipped: its predecessor points to its successor. The predecessor of one that was leads
// to a session that has ended, so it leads nowhere any more.
const supersedeSession = statement({
  name: 'session-supersede',
  owner: 'user',
  text: `
    WITH ended AS (
      UPDATE sessions SET revoked_at = $3, continued_by = $5
      WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3 AND last_active_at > $4
      RETURNING active_organization_id, announced_to, refresh_generation, factors, ${levelOf('sessions')} AS acr
    ), led AS (
      UPDATE sessions SET continued_by = CASE WHEN ended.refresh_generation = 1 THEN $5::uuid END FROM ended
      WHERE sessions.user_id = $1 AND continued_by = $2)
    SELECT active_organization_id AS "organizationId", announced_to AS "announcedTo", factors AS amr, acr FROM ended`,
});

const announce = statement({
  name: 'session-announce',
  owner: 'user',
  text: `
    UPDATE sessions SET announced_to = announced_to || $3::uuid
    WHERE user_id = $1 AND id = $2 AND $3 <> ALL (announced_to) RETURNING id`,
});

const rebindSession = statement({
  name: 'session-rebind',
  owner: 'user',
  text: `
    UPDATE sessions SET ip_address = $3::inet,
      other_ip_address = CASE WHEN family(ip_address) <> family($3::inet) THEN ip_address
        WHEN family(other_ip_address) <> family($3::inet) THEN other_ip_address END
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $4`,
});

const revokeSessions = statement({
  name: 'sessions-revoke-all',
  owner: 'user',
  text: `
    UPDATE sessions SET revoked_at = $3
    WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid AND revoked_at IS NULL AND expires_at > $3
      AND last_active_at > $4 AND ($5::text IS NULL OR $5 = ANY (factors))
      AND ($6::text IS NULL OR coalesce(device_id, device_products, '') <> $6)
    RETURNING id`,
});

// The level of a session follows from its remaining factors; $3 lists the second factors. One that was started with a withdrawn
// factor still names it, and has the level of one without. While two-factor authentication is on, that is too low, and the
// session ends.
const withdrawFactors = statement({
  name: 'sessions-withdraw-factors',
  owner: 'user',
  text: `
    WITH kept AS (
      SELECT id, ARRAY(SELECT factor FROM unnest(factors) AS factor WHERE factor <> ALL ($2)) AS factors
      FROM sessions WHERE user_id = $1 AND factors && $2
    ), lowered AS (
      UPDATE sessions SET factors = CASE WHEN kept.factors = '{}' THEN sessions.factors ELSE kept.factors END,
        acr = CASE WHEN kept.factors && $3 THEN acr ELSE 'aal1' END,
        revoked_at = CASE WHEN NOT (kept.factors && $3)
          AND EXISTS (SELECT FROM two_factor WHERE user_id = $1 AND enabled_at IS NOT NULL)
          THEN coalesce(revoked_at, $4) ELSE revoked_at END
      FROM kept WHERE sessions.user_id = $1 AND sessions.id = kept.id
      RETURNING sessions.id, old.revoked_at AS revoked_before, new.revoked_at AS revoked_after)
    SELECT id FROM lowered WHERE revoked_before IS NULL AND revoked_after IS NOT NULL`,
});

const sessionUpTo = statement({
  name: 'session-up-to',
  owner: 'user',
  text: `
    SELECT device_id AS "deviceId", user_agent AS "userAgent", host(ip_address) AS "ipAddress",
      host(other_ip_address) AS "otherIpAddress", authenticated_at AS "authenticatedAt",
      confined_to AS "confinedTo"
    FROM sessions
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3 AND last_active_at > $4
      AND ${levelOf('sessions')} <= $5`,
});

const moveOn = statement({
  name: 'sessions-move-on',
  owner: 'user',
  text: `
    WITH resumed AS (
      UPDATE users SET last_organization_id = $3 WHERE id = $1 AND last_organization_id = $2)
    UPDATE sessions SET active_organization_id = $3
    WHERE user_id = $1 AND active_organization_id = $2 AND confined_to IS NULL`,
});

const endConfined = statement({
  name: 'sessions-end-confined',
  owner: 'user',
  text: `
    WITH unfinished AS (DELETE FROM two_factor_challenges WHERE user_id = $1 AND confined_to = $2)
    UPDATE sessions SET revoked_at = $3 WHERE user_id = $1 AND confined_to = $2 AND revoked_at IS NULL RETURNING id`,
});

// Sessions of a connection belong to many users, so they are in no scope.
const endSessionsOfConnection = unscopedStatement({
  name: 'sessions-end-of-connection',
  text: `
    SELECT ended_user_id AS "userId", ended_session_id AS "sessionId" FROM app.end_sessions_of($1, $2)
    WHERE ended_user_id IS NOT NULL AND ended_session_id IS NOT NULL`,
});

const holdOrganization = statement({
  name: 'session-hold-organization',
  text: `
    SELECT o.organization_id AS id FROM organizations AS o (organization_id)
    WHERE o.organization_id = $1 FOR SHARE`,
});

const beginNextIn = unscopedStatement({
  name: 'session-begin-next-in',
  text: 'UPDATE users SET last_organization_id = $2 WHERE id = $1',
});

/** Deletes a batch of those of all users that have expired. */
export const sweepSessions = defineSweepBy('app.sweep_sessions()');

/** Deletes a batch of those of all users that were ended a day ago, and that no refresh token leads through. */
export const sweepEndedSessions = defineSweepBy('app.sweep_ended_sessions()');

/** Stores sessions; the user is that of the scope. */
export class SessionsRepository {
  readonly #activeSince: ActiveSince;

  constructor(activeSince: ActiveSince) {
    this.#activeSince = activeSince;
  }

  /** Chooses the organization in which the user resumes, and makes further sign-ins of the user wait for the transaction. */
  async resume(
    tx: Transaction,
    acr: AuthenticationLevel,
  ): Promise<Omit<SessionContext, 'session' | 'asOf'> | undefined> {
    const [row] = await tx.query(resumeOrganization, [acr]);
    return row && placeOf(row);
  }

  /** The organization that a confined session starts in, as {@link SessionsRepository.resume}; nothing is written. */
  async enter(
    tx: Transaction,
    { organizationId, acr }: Pick<Session, 'acr'> & { readonly organizationId: string },
  ): Promise<Omit<SessionContext, 'session' | 'asOf'> | undefined> {
    const [row] = await tx.query(enterOrganization, [acr, organizationId]);
    return row && placeOf(row);
  }

  /** Keeps the scope's organization, its members and its connections as they are until the transaction ends. @returns whether it exists */
  async holdOrganization(tx: Transaction): Promise<boolean> {
    return (await tx.query(holdOrganization, [])).length > 0;
  }

  /** Locks the user against other changes, all of which lock the user before other rows. */
  async lockUser(tx: Transaction): Promise<void> {
    await tx.query(lockUser, []);
  }

  /**
   * Deletes expired sessions, and ends the oldest beyond `keep`: of the user's own, or of those confined to an organization.
   *
   * @returns those it ended
   */
  async evictOldest(
    tx: Transaction,
    room: { readonly keep: number; readonly at: Date; readonly confinedTo: string | null },
  ): Promise<string[]> {
    const { keep, at, confinedTo } = room;
    await tx.query(forgetExpired, [at]);
    const revoked = await tx.query(revokeOldest, [at, keep, confinedTo]);
    return revoked.map(({ id }) => id);
  }

  async insert(tx: Transaction, session: NewSession): Promise<void> {
    const { id, organizationId, client, amr, acr, refreshHash, startedAt, confinement, ...rest } = session;
    const { deviceId, userAgent, ipAddress, otherIpAddress } = client;
    const { authenticatedAt, createdAt, expiresAt, announcedTo } = rest;
    const where = [deviceId, userAgent, ipAddress, otherIpAddress, productsOf(userAgent)] as const;
    const how = [amr, acr, refreshHash, authenticatedAt] as const;
    const confined = [confinement?.organizationId ?? null, confinement?.connectionId ?? null] as const;
    const when = [createdAt, startedAt, expiresAt] as const;
    const values = [id, organizationId, ...where, ...how, ...when, ...confined, announcedTo] as const;
    await tx.query(insertSession, values);
  }

  /** The live session with its user and the membership, in one query. */
  async findLive(rows: Rows, lookup: SessionLookup): Promise<SessionContext | undefined> {
    const { sessionId, organizationId, at } = lookup;
    const [row] = await rows.query(liveSession, [sessionId, organizationId, at, this.#activeSince(at)]);
    return row && contextOf(row, at);
  }

  /** Makes an organization the active one; undefined if the user is not a member, or does not meet its requirements. */
  async activate(
    rows: Rows,
    { sessionId, organizationId, at }: SessionLookup & { organizationId: string },
  ): Promise<SessionContext | undefined> {
    const lookup = [sessionId, organizationId, at, this.#activeSince(at)] as const;
    const [row] = await rows.query(activateOrganization, lookup);
    return row && contextOf(row, at);
  }

  listLive(rows: Rows, at: Date): Promise<ListedSession[]> {
    return rows.query(liveSessions, [at, this.#activeSince(at)]);
  }

  /** @returns the session that it ended, if it was alive */
  async revoke(tx: Transaction, { sessionId, at }: SessionNow): Promise<RevokedSession | undefined> {
    return (await tx.query(revokeSession, [sessionId, at, this.#activeSince(at)]))[0];
  }

  /** In the scope of the connection's organization: ends what a connection has started. @returns the sessions among it */
  endOfConnection(
    tx: Transaction,
    { connectionId, at }: { readonly connectionId: string; readonly at: Date },
  ): Promise<SessionOfConnection[]> {
    return tx.query(endSessionsOfConnection, [connectionId, at]);
  }

  /**
   * Ends a session that another one continues; `continuedBy` redirects its refresh token. @returns its state; undefined if
   * there was no live session
   */
  async supersede(
    tx: Transaction,
    session: SessionNow & { readonly continuedBy: string | null },
  ): Promise<SupersededSession | undefined> {
    const { sessionId, at, continuedBy } = session;
    return (await tx.query(supersedeSession, [sessionId, at, this.#activeSince(at), continuedBy]))[0];
  }

  /** Ends all live sessions that are meant. @returns those it ended */
  async revokeAll(tx: Transaction, ended: EndedSessions & { readonly at: Date }): Promise<string[]> {
    const { except = null, factor = null, device = null, at } = ended;
    const revoked = await tx.query(revokeSessions, [except, at, this.#activeSince(at), factor, device]);
    return revoked.map(({ id }) => id);
  }

  /** The owners of an organization hear that a session is in it. @returns whether they had not yet */
  async announce(
    tx: Transaction,
    { sessionId, organizationId }: { readonly sessionId: string; readonly organizationId: string },
  ): Promise<boolean> {
    return (await tx.query(announce, [sessionId, organizationId])).length > 0;
  }

  /** Binds a live session to another address; that of the other family stays. */
  async rebind(tx: Transaction, move: SessionNow & { readonly ipAddress: string | null }): Promise<void> {
    const { sessionId, ipAddress, at } = move;
    await tx.query(rebindSession, [sessionId, ipAddress, at]);
  }

  /** @returns the live sessions that it ended: those at `aal1` of a user whose two-factor authentication is on */
  async withdrawFactors(tx: Transaction, withdrawal: WithdrawnFactors): Promise<string[]> {
    const { factors, secondFactors, at } = withdrawal;
    const ended = await tx.query(withdrawFactors, [factors, secondFactors, at]);
    return ended.map(({ id }) => id);
  }

  /** A live session, if it is of this level at most. */
  async findUpTo(
    tx: Transaction,
    { sessionId, at, acr }: SessionNow & Pick<Session, 'acr'>,
  ): Promise<CarriedUpTo | undefined> {
    const [row] = await tx.query(sessionUpTo, [sessionId, at, this.#activeSince(at), acr]);
    if (!row) return undefined;
    const { authenticatedAt, confinedTo } = row;
    return { client: clientOf(row), authenticatedAt, isConfined: confinedTo !== null };
  }

  async moveOn(tx: Transaction, move: { readonly from: string; readonly to: string | null }): Promise<void> {
    const { from, to } = move;
    await tx.query(moveOn, [from, to]);
  }

  /**
   * Ends sessions that are confined to an organization, and sign-ins to it that wait for the second factor.
   *
   * @returns the sessions that it ended
   */
  async endConfined(
    tx: Transaction,
    { organizationId, at }: { readonly organizationId: string; readonly at: Date },
  ): Promise<string[]> {
    return (await tx.query(endConfined, [organizationId, at])).map(({ id }) => id);
  }

  /** Sets the organization in which the user resumes. */
  async beginNextIn(tx: Transaction, { userId, organizationId }: NextPlace): Promise<void> {
    await tx.query(beginNextIn, [userId, organizationId]);
  }
}
