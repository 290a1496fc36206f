import { recordAudit } from '../../audit/index.ts';
import { withoutSession } from '../../database.ts';
import { recordEvent, recordMembers } from '../../events/index.ts';
import { byOperator, organizationNotFound, type Ground } from '../../ground/index.ts';
import { mailOwners, type Mail } from '../../mail/index.ts';
import { organizationEvent, type Organizations } from '../organizations.ts';
import { notRestorable } from './deletions.errors.ts';
import { DeletionsRepository } from './deletions.repository.ts';
import type { Deletions } from './deletions.ts';
import { RestoresRepository } from './restores.repository.ts';

interface RestoresDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly organizations: Pick<Organizations, 'find'>;
  readonly deletions: Pick<Deletions, 'settleSome'>;
}

/** Restores deleted organizations. */
export class Restores {
  readonly #dependencies: RestoresDependencies;
  readonly #deletions = new DeletionsRepository();
  readonly #repository = new RestoresRepository();

  constructor(dependencies: RestoresDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Restores an organization with the members that still have an account and were not disabled; invitations stay withdrawn, and
   * service accounts deleted, of which its owners are told.
   *
   * @param slug in place of its own, which another may have taken
   * @returns it, and how many members it has
   * @throws NOT_FOUND for one that is not deleted, or purged; CONFLICT where it is too late; SLUG_TAKEN
   */
  restore(organizationId: string, slug?: string) {
    const { database, deletions, mail, organizations, now } = this.#dependencies;
    return withoutSession('operator', database.within({ organizationId }), async (tx) => {
      const deleted = await this.#deletions.lock(tx, organizationId);
      if (!deleted) throw organizationNotFound();
      if (deleted.name === null || deleted.purgeAt <= now() || !(await this.#repository.hasFormerOwner(tx)))
        throw notRestorable();
      // Sessions that connections had started end with the organization, even if the deletion was interrupted.
      while (!(await deletions.settleSome(tx, organizationId))) continue;
      await this.#repository.restore(tx, organizationId, slug);
      const members = await this.#repository.restoreMembers(tx, now());
      const lost = await this.#repository.lostMembers(tx);
      await this.#deletions.forget(tx, organizationId);
      const organization = await organizations.find(tx, organizationId);
      if (!organization) throw organizationNotFound();
      await recordEvent(tx, organizationEvent('organization.updated', organization));
      await recordMembers(tx);
      // A reader that is behind gets only the latest event of the organization, and never learns that it was deleted.
      for (const userId of lost) await recordEvent(tx, { type: 'member.removed', organizationId, userId });
      const target = { type: 'organization', id: organizationId };
      await recordAudit(tx, byOperator, { action: 'organization.restored', target });
      await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
        const data = { name, organizationName: organization.name };
        return { to, template: 'organization-restored', data };
      });
      return { organization, members };
    });
  }
}
