import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import { recordRevocation } from '../tokens/revocations/revocations.ts';
import type { Client } from '../ground/callers/client.ts';
import type { Principal } from './session.ts';
import { sessionNotFound } from './sessions.errors.ts';
import type { SessionsRepository } from './sessions.repository.ts';

/** Which sessions of the caller end. */
export type EndScope = 'others' | 'all';

/** Ending sessions: in the row, and in what every verifier is told, together. */
export interface SessionEndings {
  /** Ends one of the caller's own sessions. */
  end(principal: Principal, end: { readonly sessionId: string; readonly client: Client }): Promise<void>;
  /** Ends several, and says how many. */
  endScope(principal: Principal, end: { readonly scope: EndScope; readonly client: Client }): Promise<number>;
  /** Within a transaction of the caller. @throws NOT_FOUND when it has ended */
  revoke(tx: Transaction, principal: Pick<Principal, 'user'>, sessionId: string): Promise<void>;
  /** Within a transaction of the caller: every session but the one that the caller uses. */
  revokeOthers(tx: Transaction, principal: Pick<Principal, 'user' | 'session'>): Promise<number>;
  /** Within a transaction of the user, for whom this is the end of every sign-in: a reset password, an erasure. */
  revokeAll(tx: Transaction, user: { readonly id: string }): Promise<number>;
}

/** What ending depends on. */
export interface SessionEndingsDependencies {
  readonly repository: Pick<SessionsRepository, 'transaction' | 'revoke' | 'revokeAll'>;
  readonly now: () => Date;
}

/** Makes {@link SessionEndings}. */
export function createSessionEndings({ repository, now }: SessionEndingsDependencies): SessionEndings {
  async function revokeAllBut(tx: Transaction, userId: string, except: string | null): Promise<number> {
    const at = now();
    const ended = await repository.revokeAll(tx, { except, at });
    for (const sessionId of ended) await recordRevocation(tx, { kind: 'session', userId, sessionId, at });
    return ended.length;
  }

  const revoke: SessionEndings['revoke'] = async (tx, { user }, sessionId) => {
    const at = now();
    if (!(await repository.revoke(tx, { sessionId, at }))) throw sessionNotFound();
    await recordRevocation(tx, { kind: 'session', userId: user.id, sessionId, at });
  };
  const revokeOthers: SessionEndings['revokeOthers'] = (tx, { user, session }) =>
    revokeAllBut(tx, user.id, session.id);

  return {
    revoke,
    revokeOthers,
    revokeAll: (tx, { id }) => revokeAllBut(tx, id, null),

    end: (principal, { sessionId, client }) =>
      repository.transaction(principal.user.id, async (tx) => {
        await revoke(tx, principal, sessionId);
        await recordAudit(tx, {
          organizationId: principal.organization?.id ?? null,
          actorUserId: principal.user.id,
          action: 'session.revoked',
          target: { type: 'session', id: sessionId },
          client,
        });
      }),

    endScope: (principal, { scope, client }) =>
      repository.transaction(principal.user.id, async (tx) => {
        const { user, session, organization } = principal;
        const ended = await revokeAllBut(tx, user.id, scope === 'others' ? session.id : null);
        await recordAudit(tx, {
          organizationId: organization?.id ?? null,
          actorUserId: user.id,
          action: 'sessions.revoked',
          client,
          details: { scope, revoked: ended },
        });
        return ended;
      }),
  };
}
