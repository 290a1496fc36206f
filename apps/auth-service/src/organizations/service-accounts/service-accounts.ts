import { serviceAccountsMax } from '@tenantry/contracts';
import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../../audit/index.ts';
import type { OrganizationTransaction, Transaction } from '../../database.ts';
import {
  countChange,
  type Ground,
  type MemberContext,
  type OrganizationContext,
  type SignedIn,
} from '../../ground/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { recordKeyRevocations, recordRevocation } from '../../tokens/index.ts';
import { requireMayGrant, requirePermission } from '../members/member-rules.ts';
import { serviceAccountNotFound, tooManyServiceAccounts } from './service-accounts.errors.ts';
import { ServiceAccountsRepository, type ServiceAccount } from './service-accounts.repository.ts';
import type { ServiceAccountRole } from './service-accounts.schemas.ts';

interface ServiceAccountsDependencies extends Pick<Ground, 'database' | 'limits' | 'newId' | 'now'> {
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** The fields of a change; omitted ones are unchanged. */
interface AccountChanges {
  readonly name?: string | undefined;
  readonly role?: ServiceAccountRole | undefined;
}

/**
 * Programs that act in an organization: each has a role, and gets its tokens with keys. It is made by a member, and does not end
 * with the membership.
 */
export class ServiceAccounts {
  readonly #dependencies: ServiceAccountsDependencies;
  readonly #repository = new ServiceAccountsRepository();

  constructor(dependencies: ServiceAccountsDependencies) {
    this.#dependencies = dependencies;
  }

  /** With their keys, in order of creation. */
  list(organizationId: string): Promise<ServiceAccount[]> {
    return this.#repository.list(this.#dependencies.database.within({ organizationId }));
  }

  /** @throws FORBIDDEN; QUOTA_EXCEEDED; RATE_LIMITED */
  create(
    context: MemberContext<SignedIn>,
    { name, role }: { readonly name: string; readonly role: ServiceAccountRole },
  ): Promise<ServiceAccount> {
    const { newId, now } = this.#dependencies;
    const { userId } = context.actor;
    return this.#counted(context, async (tx, ownRole) => {
      requireMayGrant(ownRole, role);
      if ((await this.#repository.count(tx)) >= serviceAccountsMax) throw tooManyServiceAccounts();
      const id = newId();
      await this.#repository.insert(tx, { id, name, role, createdBy: userId, at: now() });
      const target = { type: 'service-account', id, name };
      const details = { role };
      await recordAudit(tx, context, { action: 'service-account.created', target, details });
      return this.#get(tx, id);
    });
  }

  /** A change of the role revokes the tokens of its keys. @throws FORBIDDEN; NOT_FOUND; RATE_LIMITED */
  change(context: MemberContext, id: string, wanted: AccountChanges): Promise<ServiceAccount> {
    const { now } = this.#dependencies;
    return this.#counted(context, async (tx, ownRole) => {
      const before = await this.#repository.find(tx, id);
      if (!before) throw serviceAccountNotFound();
      const { name = before.name, role = before.role } = wanted;
      if (role !== before.role) requireMayGrant(ownRole, role);
      if (name === before.name && role === before.role) return this.#get(tx, id);
      await this.#repository.update(tx, { id, name, role, at: now() });
      if (role !== before.role) await recordRevocation(tx, { kind: 'member', userId: id, at: now() });
      const target = { type: 'service-account', id, name };
      if (name !== before.name) {
        const details = { from: before.name, to: name };
        await recordAudit(tx, context, { action: 'service-account.renamed', target, details });
      }
      if (role !== before.role) {
        const details = { from: before.role, to: role };
        await recordAudit(tx, context, { action: 'service-account.role-changed', target, details });
      }
      return this.#get(tx, id);
    });
  }

  /** Deletes an account with its keys, whose tokens end. @throws FORBIDDEN; NOT_FOUND */
  async remove(context: MemberContext, id: string): Promise<void> {
    await this.#dependencies.sessions.callers.inOrganization(context, async (tx, ownRole) => {
      requirePermission(ownRole, 'service-accounts:write');
      await this.#end(tx, context, await this.#get(tx, id));
    });
  }

  /** As {@link ServiceAccounts.remove}, all of an organization, in a transaction in its scope that has locked it. */
  async removeAll(tx: Transaction, context: OrganizationContext): Promise<void> {
    for (const account of await this.#repository.list(tx)) await this.#end(tx, context, account);
  }

  async #end(
    tx: Transaction,
    context: OrganizationContext,
    { id, name, keys }: ServiceAccount,
  ): Promise<void> {
    const { organizationId } = context;
    // For its lock, before the revocation takes its time.
    await this.#repository.find(tx, id);
    const keyIds = keys.map((key) => key.id);
    await recordKeyRevocations(tx, { organizationId, accountId: id, keyIds, at: this.#dependencies.now() });
    await this.#repository.remove(tx, id);
    const target = { type: 'service-account', id, name };
    await recordAudit(tx, context, { action: 'service-account.deleted', target });
  }

  async #get(tx: Transaction, id: string): Promise<ServiceAccount> {
    const account = await this.#repository.get(tx, id);
    if (!account) throw serviceAccountNotFound();
    return account;
  }

  /** Counted among the changes of the organization. Deletions are not: what they delete was counted. */
  async #counted(
    context: MemberContext,
    work: (tx: OrganizationTransaction, ownRole: Role) => Promise<ServiceAccount>,
  ): Promise<ServiceAccount> {
    const { limits, sessions } = this.#dependencies;
    const charge = { limiter: limits.organizationChanges, key: context.organizationId };
    const { account } = await countChange(charge, async () => {
      const changed = await sessions.callers.inOrganization(context, (tx, ownRole) => {
        requirePermission(ownRole, 'service-accounts:write');
        return work(tx, ownRole);
      });
      return { account: changed, hasChanged: true };
    });
    return account;
  }
}
