import { recordAudit } from '../audit/audit.ts';
import type { AuditAction } from '../audit/audit-actions.ts';
import type { Transaction } from '../database.ts';
import type { EnqueueMail } from '../mail/mail.ts';
import { recordRevocation } from '../tokens/revocations/revocations.ts';
import { deviceName, type Client } from '../ground/callers/client.ts';
import type { SessionContext } from './session.ts';
import type { SessionsRepository } from './sessions.repository.ts';

/** Somebody uses what belongs to a session where it does not belong. */
export interface Misuse {
  readonly kind: 'reused' | 'other-device' | 'other-address';
  readonly user: SessionContext['user'];
  readonly session: Pick<SessionContext['session'], 'id'>;
  /** Whoever it is. */
  readonly client: Client;
  /** Whose audit trail tells of it. */
  readonly organizationId: string | null;
  readonly at: Date;
}

/** What is done about it. */
export interface Misuses {
  /** Tells of a refusal after which the session goes on. */
  record(misuse: Misuse): Promise<void>;
  /** Ends the session, tells of it, and warns the user by mail. */
  end(misuse: Misuse): Promise<void>;
}

/** What that depends on. */
export interface MisusesDependencies {
  readonly repository: Pick<SessionsRepository, 'transaction' | 'revoke'>;
  readonly enqueueMail: EnqueueMail;
}

const actions: Readonly<Record<Misuse['kind'], AuditAction>> = {
  reused: 'session.reuse-detected',
  'other-device': 'session.device-refused',
  'other-address': 'session.address-refused',
};

/** Makes {@link Misuses}. */
export function createMisuses({ repository, enqueueMail }: MisusesDependencies): Misuses {
  return {
    record: (misuse) => repository.transaction(misuse.user.id, (tx) => audit(tx, misuse)),

    end: (misuse) =>
      repository.transaction(misuse.user.id, async (tx) => {
        const { user, session, client, at } = misuse;
        // Of several who see it at once, one tells.
        if (!(await repository.revoke(tx, { sessionId: session.id, at }))) return;
        await recordRevocation(tx, { kind: 'session', userId: user.id, sessionId: session.id, at });
        await audit(tx, misuse);
        await enqueueMail(tx, {
          to: user.email,
          template: 'session-reuse-detected',
          data: { name: user.name, device: deviceName(client), ipAddress: client.ipAddress },
        });
      }),
  };
}

function audit(tx: Transaction, { kind, user, session, client, organizationId }: Misuse): Promise<void> {
  return recordAudit(tx, {
    organizationId,
    actorUserId: user.id,
    action: actions[kind],
    target: { type: 'session', id: session.id },
    client,
  });
}
