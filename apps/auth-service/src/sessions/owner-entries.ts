import { recordAudit } from '../audit/index.ts';
import { withoutSession } from '../database.ts';
import { deviceName, userActor, type Ground } from '../ground/index.ts';
import { mailOwners, type Mail } from '../mail/index.ts';
import type { SessionContext } from './session.ts';
import type { SessionsRepository } from './sessions.repository.ts';

interface OwnerEntriesDependencies extends Pick<Ground, 'database'> {
  readonly repository: Pick<SessionsRepository, 'announce' | 'lockUser'>;
  readonly mail: Pick<Mail, 'outbox'>;
}

/**
 * Owners get into an organization that requires single sign-on without it, so that an identity provider that is broken or stolen
 * can be turned off. All its owners hear of it, once for each session, before the session gets anything of the organization.
 */
export class OwnerEntries {
  readonly #dependencies: OwnerEntriesDependencies;

  constructor(dependencies: OwnerEntriesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Outside of any transaction. */
  async announce({ user, session, organization, isUnannounced }: SessionContext): Promise<void> {
    if (!isUnannounced || organization === null) return;
    const { database, repository, mail } = this.#dependencies;
    const { id: organizationId, name: organizationName } = organization;
    const { client } = session;
    const entry = { sessionId: session.id, organizationId };
    await withoutSession('defence', database.within({ organizationId, userId: user.id }), async (tx) => {
      await repository.lockUser(tx);
      // Of several concurrent requests, one reports it.
      if (!(await repository.announce(tx, entry))) return;
      const target = { type: 'session', id: session.id };
      await recordAudit(tx, { actor: userActor(user), client }, { action: 'connection.bypassed', target });
      const owner = { name: user.name, email: user.email };
      const where = { device: deviceName(client), ipAddress: client.ipAddress };
      await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
        return { to, template: 'owner-bypassed-sso', data: { name, organizationName, owner, ...where } };
      });
    });
  }
}
