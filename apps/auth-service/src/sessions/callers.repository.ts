import type { Role } from '@tenantry/jwt-verify';
import { statement, unscopedStatement, type OrganizationTransaction, type Transaction } from '../database.ts';
import type { EntryRefusal, User } from '../ground/index.ts';
import { entrantIn, reaches, refusalOf, type ActiveSince } from './session-context.repository.ts';

/** Who acts, and in which session; null where a peer does not tell. */
export interface CallerSession {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly at: Date;
}

/** What a caller is now, once the rows that decide it are locked. */
export interface CallerStanding {
  /** Null where the user is no member, or the session does not reach the organization. */
  readonly role: Role | null;
  /** Why the organization does not let its member in; null otherwise. */
  readonly refusal: EntryRefusal | null;
  /** Whether a connection has started the session. */
  readonly isConfined: boolean;
}

// The column alias names the key as it is named everywhere else.
const lockOrganization = statement({
  name: 'caller-lock-organization',
  text: `
    SELECT o.organization_id AS id FROM organizations AS o (organization_id)
    WHERE o.organization_id = $1 FOR NO KEY UPDATE`,
});

const lockUsers = unscopedStatement({
  name: 'caller-lock-users',
  text: 'SELECT id FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
});

const lockSession = statement({
  name: 'caller-lock-session',
  owner: 'user',
  text: `
    SELECT id FROM sessions
    WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3 AND last_active_at > $4 FOR SHARE`,
});

const enabled = unscopedStatement({
  name: 'caller-enabled',
  text: 'SELECT id, email, name FROM users WHERE id = $1 AND disabled_at IS NULL',
});

const standing = statement({
  name: 'caller-standing',
  owner: 'user',
  text: `
    SELECT m.role, ${refusalOf(entrantIn('s'))} AS refusal, s.confined_to IS NOT NULL AS "isConfined"
    FROM members m JOIN organizations o ON o.id = m.organization_id
    LEFT JOIN sessions s ON s.user_id = m.user_id AND s.id = $3
    WHERE m.user_id = $1 AND m.organization_id = $2 AND ${reaches('s', 'm.organization_id')}`,
});

/**
 * Locks what decides whether a caller may act, in the order of everything that changes memberships: the organization, users from
 * the lowest id, sessions. What ended before is seen, and nothing ends before the transaction does.
 */
export class CallersRepository {
  readonly #activeSince: ActiveSince;

  constructor(activeSince: ActiveSince) {
    this.#activeSince = activeSince;
  }

  /** @returns whether the organization exists */
  async lockOrganization(tx: OrganizationTransaction): Promise<boolean> {
    return (await tx.query(lockOrganization, [])).length > 0;
  }

  /** @returns the caller's account; undefined if it is disabled or gone, or the session has ended */
  async lock(
    tx: Transaction,
    { userId, sessionId, at }: CallerSession,
    others: readonly string[],
  ): Promise<User | undefined> {
    // Three statements in one exchange, each of which sees what was committed before it.
    const [, live, [account]] = await Promise.all([
      tx.query(lockUsers, [[userId, ...others]]),
      sessionId === null ? undefined : tx.query(lockSession, [sessionId, at, this.#activeSince(at)]),
      tx.query(enabled, [userId]),
    ]);
    return live?.length === 0 ? undefined : account;
  }

  /** Of the scope's user, in an organization that is locked. */
  async standing(
    tx: Transaction,
    { organizationId, sessionId }: { readonly organizationId: string; readonly sessionId: string | null },
  ): Promise<CallerStanding> {
    const [found] = await tx.query(standing, [organizationId, sessionId]);
    return found ?? { role: null, refusal: null, isConfined: false };
  }
}
