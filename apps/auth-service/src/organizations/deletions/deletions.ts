import type { Standing } from '@tenantry/contracts';
import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../../audit/index.ts';
import { withoutSession, type Transaction } from '../../database.ts';
import { recordEvent } from '../../events/index.ts';
import type { Ground, MemberContext, OrganizationContext, PageQuery } from '../../ground/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { recordOrganizationRevocation } from '../../tokens/index.ts';
import type { Invitations } from '../invitations/invitations.ts';
import { requirePermission } from '../members/member-rules.ts';
import type { Memberships } from '../members/memberships.ts';
import type { Organizations } from '../organizations.ts';
import { DeletionsRepository } from './deletions.repository.ts';

interface DeletionsDependencies extends Pick<Ground, 'config' | 'database' | 'now'> {
  readonly organizations: Pick<Organizations, 'remove'>;
  readonly invitations: Pick<Invitations, 'withdrawAll'>;
  readonly memberships: Pick<Memberships, 'settle'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** Moving one member takes some twenty statements if it creates a personal organization. */
const batchSize = 50;
const dayMs = 24 * 60 * 60 * 1_000;

/** Deletes organizations. */
export class Deletions {
  readonly #dependencies: DeletionsDependencies;
  readonly #repository = new DeletionsRepository();

  constructor(dependencies: DeletionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Deletes an organization: it is suspended, and all memberships end. Its data is kept until it is purged.
   *
   * @returns when that is
   */
  async remove(context: MemberContext): Promise<Date> {
    const { config, database, sessions, now } = this.#dependencies;
    const { organizationId, actor } = context;
    const { userId } = actor;
    const deleting = async (tx: Transaction, role: Role) => {
      requirePermission(role, 'organization:delete');
      // Tokens that were issued while the transaction waited for its locks are revoked as well.
      const at = now();
      const purgeAt = new Date(at.getTime() + config.ORGANIZATION_GRACE_DAYS * dayMs);
      await recordOrganizationRevocation(tx, { at });
      await this.#repository.keep(tx, { deletedBy: userId, at, purgeAt });
      await this.#end(tx, context);
      return { purgeAt, isSettled: await this.settleSome(tx, organizationId) };
    };
    const first = (tx: Transaction) => this.#repository.lockUsers(tx, batchSize);
    const { purgeAt, ...done } = await sessions.callers.inOrganization(context, deleting, { first });
    let { isSettled } = done;
    // The deletion is complete, even if the rest is left to maintenance.
    const rows = database.within({ organizationId, userId });
    while (!isSettled) {
      isSettled = await withoutSession('maintenance', rows, (tx) => this.settleSome(tx, organizationId));
    }
    return purgeAt;
  }

  /** Deletes an organization whose only member is erased, in a transaction in its scope that has locked it. */
  async dissolve(tx: Transaction, context: OrganizationContext): Promise<void> {
    const { now } = this.#dependencies;
    const { organizationId, actor } = context;
    const at = now();
    // The member's tokens end with the account; those of service accounts do not.
    await recordOrganizationRevocation(tx, { at });
    await this.#repository.note(tx, { organizationId, deletedBy: actor.userId, at, purgeAt: at });
    await this.#end(tx, context);
  }

  /** Moves the sessions of some former members to another organization. @returns whether all have been moved */
  async settleSome(tx: Transaction, organizationId: string): Promise<boolean> {
    const { memberships } = this.#dependencies;
    const userIds = await this.#repository.listUnsettled(tx, batchSize);
    for (const userId of userIds) await memberships.settle(tx, { organizationId, userId });
    await this.#repository.markSettled(tx, userIds);
    const isLast = userIds.length < batchSize;
    if (isLast) await this.#repository.endSettling(tx, organizationId);
    return isLast;
  }

  /** Those that are not purged yet, the next one first. */
  list(query: PageQuery) {
    const { database } = this.#dependencies;
    return this.#repository.list(database.unscoped, query);
  }

  standing(organizationId: string): Promise<Standing> {
    const { database } = this.#dependencies;
    return this.#repository.standing(database.unscoped, organizationId);
  }

  /** Deletes the organization's row, and publishes that. */
  async #end(tx: Transaction, context: OrganizationContext): Promise<void> {
    const { organizations, invitations } = this.#dependencies;
    const { organizationId } = context;
    await invitations.withdrawAll(tx);
    await organizations.remove(tx, organizationId);
    await recordEvent(tx, { type: 'organization.deleted', organizationId });
    const target = { type: 'organization', id: organizationId };
    await recordAudit(tx, context, { action: 'organization.deleted', target });
  }
}
