import { ApiError } from '@tenantry/envelope';
import { recordOwnAudit, type OwnAction } from '../audit/index.ts';
import { withoutSession, type Transaction } from '../database.ts';
import { deviceName, type Client, type Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { PendingChanges } from './pending/pending-changes.ts';
import type { SessionContext } from './session.ts';
import type { SessionsRepository } from './sessions.repository.ts';

/** A session's cookie or token is used where it does not belong. */
interface Misuse {
  readonly kind: 'reused' | 'other-device' | 'other-address' | 'forged';
  readonly user: SessionContext['user'];
  readonly session: Pick<SessionContext['session'], 'id' | 'confinement'>;
  /** Where it is used. */
  readonly client: Client;
  readonly at: Date;
}

interface MisusesDependencies extends Pick<Ground, 'database' | 'limits'> {
  readonly repository: Pick<SessionsRepository, 'lockUser' | 'revoke'>;
  readonly pending: PendingChanges;
  readonly mail: Pick<Mail, 'outbox'>;
}

const actions: Readonly<Record<Misuse['kind'], OwnAction>> = {
  reused: 'session.reuse-detected',
  'other-device': 'session.device-refused',
  'other-address': 'session.address-refused',
  forged: 'session.token-forged',
};

/** What is done about it. */
export class Misuses {
  readonly #dependencies: MisusesDependencies;

  constructor(dependencies: MisusesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records a refusal after which the session continues; limited to a few per hour, so that the trail cannot be flooded. */
  async record(misuse: Misuse): Promise<void> {
    const { database } = this.#dependencies;
    if (!(await this.#isWithinLimit(misuse.session.id))) return;
    await withoutSession('defence', database.within({ userId: misuse.user.id }), (tx) => audit(tx, misuse));
  }

  /** Ends the session and withdraws what is pending, records it, and tells the user by mail what happened. */
  end(misuse: Misuse & { readonly kind: 'reused' | 'other-device' }): Promise<void> {
    const { database, repository, pending, mail } = this.#dependencies;
    const { kind, user, session, client, at } = misuse;
    return withoutSession('defence', database.within({ userId: user.id }), async (tx) => {
      await repository.lockUser(tx);
      // Of several concurrent requests that notice it, one reports it.
      if (!(await repository.revoke(tx, { sessionId: session.id, at }))) return;
      await recordRevocation(tx, { kind: 'session', userId: user.id, sessionId: session.id, at });
      // A confined session has begun none.
      if (session.confinement === null) await pending.withdraw(tx);
      await audit(tx, misuse);
      const details = { kind, device: deviceName(client), ipAddress: client.ipAddress };
      await mail.outbox.notify(tx, user, 'session-reuse-detected', details);
    });
  }

  /** Counts a refusal; exceeding the limit is no error of the request, which is refused for another reason. */
  async #isWithinLimit(sessionId: string): Promise<boolean> {
    try {
      await this.#dependencies.limits.refusals.consume(sessionId);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  }
}

function audit(tx: Transaction, { kind, session, client }: Misuse): Promise<void> {
  return recordOwnAudit(tx, {
    action: actions[kind],
    target: { type: 'session', id: session.id },
    client,
    confinedTo: session.confinement?.organizationId,
  });
}
