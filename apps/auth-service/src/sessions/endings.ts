import { recordOwnAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import type { Client, Ground } from '../ground/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { PendingChanges } from './pending/pending-changes.ts';
import type { Principal } from './session.ts';
import { sessionNotFound } from './sessions.errors.ts';
import type { SessionsRepository, WithdrawnFactors } from './sessions.repository.ts';

/** Which sessions of the caller end. */
export type EndScope = 'others' | 'all';

/** A session to be ended. */
export interface EndedSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly client: Client;
}

/** Ending sessions: in the row and in the news to every verifier, together. What the user ends withdraws what is pending. */
export interface SessionEndings {
  /** Ends one of the caller's own sessions. @throws NOT_FOUND when it has ended */
  end(principal: Principal, end: { readonly sessionId: string; readonly client: Client }): Promise<void>;
  /** As `end`, of a session that need not be alive any more. */
  signOut(ended: EndedSession): Promise<void>;
  /** Ends several. @returns how many */
  endScope(principal: Principal, end: { readonly scope: EndScope; readonly client: Client }): Promise<number>;
  /** Within a transaction of the caller: every session but the one that the caller uses. */
  revokeOthers(tx: Transaction, principal: Pick<Principal, 'user' | 'session'>): Promise<number>;
  /** Within a transaction of the user, for whom this is the end of every sign-in: a reset password, an erasure. */
  revokeAll(tx: Transaction, user: { readonly id: string }): Promise<number>;
  /**
   * Within a transaction that has locked the user, who no longer has these factors: no session of theirs has them either. While
   * two-factor authentication is on, one that is left without a second factor ends.
   */
  withdrawFactors(
    tx: Transaction,
    withdrawal: Omit<WithdrawnFactors, 'at'> & { readonly userId: string },
  ): Promise<void>;
}

/** What ending depends on. */
export interface SessionEndingsDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly repository: Pick<SessionsRepository, 'lockUser' | 'revoke' | 'revokeAll' | 'withdrawFactors'>;
  readonly pending: PendingChanges;
}

export function createSessionEndings(dependencies: SessionEndingsDependencies): SessionEndings {
  const { database, repository, pending, now } = dependencies;

  async function revokeAllBut(tx: Transaction, userId: string, except: string | null): Promise<number> {
    const at = now();
    const ended = await repository.revokeAll(tx, { except, at });
    for (const sessionId of ended) await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    return ended.length;
  }

  /** @returns whether it was alive */
  const endOne = ({ userId, sessionId, client }: EndedSession, withdraw: Withdraw): Promise<boolean> =>
    database.within({ userId }).transaction(async (tx) => {
      await repository.lockUser(tx);
      const at = now();
      if (!(await repository.revoke(tx, { sessionId, at }))) return false;
      await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
      await withdraw(tx);
      const target = { type: 'session', id: sessionId };
      await recordOwnAudit(tx, {
        action: 'session.revoked',
        target,
        client,
      });
      return true;
    });

  return {
    revokeOthers: (tx, { user, session }) => revokeAllBut(tx, user.id, session.id),
    revokeAll: (tx, { id }) => revokeAllBut(tx, id, null),

    async withdrawFactors(tx, { userId, ...withdrawn }) {
      const at = now();
      const ended = await repository.withdrawFactors(tx, { ...withdrawn, at });
      for (const sessionId of ended) await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    },

    async end({ user }, { sessionId, client }) {
      const withdraw = (tx: Transaction) => pending.withdraw(tx);
      const hasEnded = await endOne({ userId: user.id, sessionId, client }, withdraw);
      if (!hasEnded) throw sessionNotFound();
    },

    async signOut(ended) {
      await endOne(ended, (tx) => pending.withdrawOfSession(tx));
    },

    endScope: ({ user, session }, { scope, client }) =>
      database.within({ userId: user.id }).transaction(async (tx) => {
        await repository.lockUser(tx);
        const revoked = await revokeAllBut(tx, user.id, scope === 'others' ? session.id : null);
        await pending.withdraw(tx);
        if (revoked === 0) return revoked;
        await recordOwnAudit(tx, {
          action: 'sessions.revoked',
          client,
          details: { scope, revoked },
        });
        return revoked;
      }),
  };
}

type Withdraw = (tx: Transaction) => Promise<void>;
