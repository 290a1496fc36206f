import { recordOwnAudit } from '../audit/index.ts';
import { withoutSession, type OrganizationTransaction, type Transaction } from '../database.ts';
import { boundDevice, type Client, type Ground } from '../ground/index.ts';
import { recordOrganizationRevocation, recordRevocation } from '../tokens/index.ts';
import type { Callers } from './callers.ts';
import type { PendingChanges } from './pending/pending-changes.ts';
import type { Principal } from './session.ts';
import { sessionNotFound } from './sessions.errors.ts';
import type { EndedSessions, SessionsRepository, WithdrawnFactors } from './sessions.repository.ts';

/** Sessions of a connection whose ends are announced one by one; more are announced by one revocation of the organization. */
const singlyMax = 30;

/** A session to be ended. */
interface EndedSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly client: Client;
}

/** A user whom connections of an organization sign in. */
interface ConfinedUser {
  readonly organizationId: string;
  readonly userId: string;
}

interface SessionEndingsDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly callers: Callers;
  readonly repository: SessionsRepository;
  readonly pending: PendingChanges;
}

/**
 * Ends sessions: in the row and by a revocation, in one transaction. If the user ends them, pending changes are withdrawn too.
 */
export class SessionEndings {
  readonly #dependencies: SessionEndingsDependencies;

  constructor(dependencies: SessionEndingsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Ends one of the caller's own sessions. @throws NOT_FOUND when it has ended; UNAUTHENTICATED when the caller's has */
  async end(
    principal: Principal,
    { sessionId, client }: { readonly sessionId: string; readonly client: Client },
  ): Promise<void> {
    const { callers, pending } = this.#dependencies;
    const { id: userId } = principal.user;
    await callers.own(principal, async (tx) => {
      if (!(await this.#endOne(tx, { userId, sessionId, client }))) throw sessionNotFound();
      await pending.withdraw(tx);
    });
  }

  /** Like `end`, for a session that may have ended already. */
  async signOut(ended: EndedSession): Promise<void> {
    const { database, repository, pending } = this.#dependencies;
    await withoutSession('defence', database.within({ userId: ended.userId }), async (tx) => {
      await repository.lockUser(tx);
      const revoked = await this.#endOne(tx, ended);
      // A confined session has begun none.
      if (revoked?.confinedTo === null) await pending.withdrawOfSession(tx);
    });
  }

  /** Ends several. @returns how many @throws UNAUTHENTICATED when the caller's own has ended */
  endScope(
    principal: Principal,
    { scope, client }: { readonly scope: 'others' | 'all'; readonly client: Client },
  ): Promise<number> {
    const { callers, pending } = this.#dependencies;
    const { user, session } = principal;
    return callers.own(principal, async (tx) => {
      const revoked = await this.#revokeAllBut(tx, user.id, scope === 'others' ? { except: session.id } : {});
      await pending.withdraw(tx);
      if (revoked === 0) return revoked;
      await recordOwnAudit(tx, { action: 'sessions.revoked', client, details: { scope, revoked } });
      return revoked;
    });
  }

  /**
   * Within a transaction of the caller: every session but the one that the caller uses; given a factor, as named in `amr`, only
   * those that use it.
   */
  revokeOthers(tx: Transaction, { user, session }: Principal, factor?: string): Promise<number> {
    return this.#revokeAllBut(tx, user.id, { except: session.id, factor });
  }

  /** As {@link SessionEndings.revokeOthers}, by nobody who has a session: a reset by mail, or by somebody else. */
  revokeBegunBy(tx: Transaction, { id }: { readonly id: string }, factor: string): Promise<number> {
    return this.#revokeAllBut(tx, id, { factor });
  }

  /** Ends all sessions, in a transaction of the user: after a password reset or an erasure. */
  revokeAll(tx: Transaction, { id }: { readonly id: string }): Promise<number> {
    return this.#revokeAllBut(tx, id, {});
  }

  /** Ends all sessions but one, or but those of one device, in a transaction of the user: after the first proof of the address. */
  revokeAllBut(
    tx: Transaction,
    { id }: { readonly id: string },
    kept: { readonly sessionId: string } | { readonly client: Client },
  ): Promise<number> {
    const but = 'client' in kept ? { device: boundDevice(kept.client) } : { except: kept.sessionId };
    return this.#revokeAllBut(tx, id, but);
  }

  /**
   * Within a transaction that has locked the user, who no longer has these factors: removes them from the user's sessions.
   * While two-factor authentication is on, a session left without a second factor ends.
   */
  async withdrawFactors(
    tx: Transaction,
    { userId, ...withdrawn }: Omit<WithdrawnFactors, 'at'> & { readonly userId: string },
  ): Promise<void> {
    const { repository, now } = this.#dependencies;
    const at = now();
    const ended = await repository.withdrawFactors(tx, { ...withdrawn, at });
    for (const sessionId of ended) await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
  }

  /**
   * Ends all sessions that a connection has started, and sign-ins by it that wait for the second factor: when it is disabled or
   * deleted. In a transaction in the scope of its organization, which is locked, so that none starts meanwhile.
   */
  async endSessionsOf(
    tx: OrganizationTransaction,
    { connectionId }: { readonly connectionId: string },
  ): Promise<void> {
    const { repository, now } = this.#dependencies;
    const at = now();
    const ended = await repository.endOfConnection(tx, { connectionId, at });
    if (ended.length > singlyMax) return recordOrganizationRevocation(tx, { at: now() });
    for (const session of ended) await recordRevocation(tx, { kind: 'session', ...session, at });
  }

  /**
   * Ends what a connection has started for one member, who goes on being one: the sessions that are confined to the organization, and
   * sign-ins that wait for the second factor. In a transaction of the member in the scope of the organization, which is locked.
   */
  async endConfined(tx: Transaction, { organizationId, userId }: ConfinedUser): Promise<void> {
    const { repository, now } = this.#dependencies;
    const at = now();
    for (const sessionId of await repository.endConfined(tx, { organizationId, at })) {
      await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    }
  }

  async #revokeAllBut(tx: Transaction, userId: string, ended: EndedSessions): Promise<number> {
    const { repository, now } = this.#dependencies;
    const at = now();
    const sessionIds = await repository.revokeAll(tx, { ...ended, at });
    for (const sessionId of sessionIds) {
      await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    }
    return sessionIds.length;
  }

  /** In a transaction that has locked its user. @returns what it ended; undefined for a session that had ended */
  async #endOne(tx: Transaction, { userId, sessionId, client }: EndedSession) {
    const { repository, now } = this.#dependencies;
    const at = now();
    const revoked = await repository.revoke(tx, { sessionId, at });
    if (!revoked) return undefined;
    await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    const target = { type: 'session', id: sessionId };
    const { confinedTo } = revoked;
    await recordOwnAudit(tx, { action: 'session.revoked', target, client, confinedTo });
    return revoked;
  }
}
