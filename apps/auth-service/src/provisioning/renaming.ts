import type { Renaming } from '@tenantry/contracts';
import type { Role } from '@tenantry/jwt-verify';
import { changedFields } from '@tenantry/service/resources';
import { recordAudit } from '../audit/index.ts';
import type { OrganizationTransaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import { countChange, type ChangeOutcome, type Ground, type MemberContext } from '../ground/index.ts';
import {
  forbidden,
  memberNotFound,
  requirePermission,
  type OrganizationsWing,
} from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { nameChanged } from './provisioning.errors.ts';
import type { Account, ProvisioningRepository } from './provisioning.repository.ts';

/** A new name for an account. */
type WantedName = Renaming & { readonly userId: string };

interface RenamingDependencies extends Pick<Ground, 'database' | 'limits' | 'now'> {
  readonly organizations: Pick<OrganizationsWing, 'memberships'>;
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly repository: Pick<ProvisioningRepository, 'findMember' | 'rename'>;
}

/** A renaming, and the role that its actor holds. */
interface HeldRenaming {
  readonly context: MemberContext;
  readonly role: Role;
  readonly renaming: WantedName;
}

type WholeName = NonNullable<Renaming['expected']>;

/** Renames accounts: the user's own, or one that belongs to no other organization. Only owners rename owners. */
export class Renames {
  readonly #dependencies: RenamingDependencies;

  constructor(dependencies: RenamingDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NAME_CHANGED, FORBIDDEN, NOT_FOUND, RATE_LIMITED, SIGN_IN_REQUIRED */
  async rename(context: MemberContext, renaming: WantedName): Promise<Account> {
    const { database, limits, organizations, sessions } = this.#dependencies;
    const { userId } = renaming;
    const renamed = (tx: OrganizationTransaction, role: Role) =>
      this.#rename(tx, { context, role, renaming });
    const takesOwnSignIn = userId === context.actor.userId;
    const inTransaction = () =>
      sessions.callers.inOrganization(context, renamed, { others: [userId], takesOwnSignIn });
    // A name is published to each organization.
    const cost = await organizations.memberships.count(database.within({ userId }));
    // Those of others count like one's own: whoever makes them is charged.
    const charge = { limiter: limits.accountChanges, key: context.actor.userId, cost };
    return (await countChange(charge, inTransaction)).account;
  }

  /** A name is shown in all of a user's organizations, so none of them may change it for the others. */
  async #requireNoOther(tx: OrganizationTransaction, userId: string): Promise<void> {
    const { organizationId } = tx.scope;
    const belongsToOthers = await tx.within({ userId }, (inner) =>
      this.#dependencies.organizations.memberships.belongsToOthers(inner, organizationId),
    );
    if (belongsToOthers) {
      throw forbidden(
        'This account is also used elsewhere: only its owner can change the name.',
        'ACCOUNT_SHARED',
      );
    }
  }

  async #rename(
    tx: OrganizationTransaction,
    { context, role, renaming }: HeldRenaming,
  ): Promise<ChangeOutcome & { readonly account: Account }> {
    const { repository, now } = this.#dependencies;
    const { userId, name, familyName = null, expected } = renaming;
    const { actor } = context;
    const isOwn = actor.userId === userId;
    if (!isOwn) requirePermission(role, 'users:write');
    const member = await repository.findMember(tx, userId);
    if (!member) throw memberNotFound();
    const { role: memberRole, familyName: formerFamilyName, ...account } = member;
    if (!isOwn) {
      if (memberRole === 'owner') requirePermission(role, 'owners:write');
      await this.#requireNoOther(tx, userId);
    }
    const before = { name: account.name, familyName: formerFamilyName };
    const fields = changedFields(before, { name, familyName });
    if (fields.length === 0 && isExpected(member, expected)) return { account, hasChanged: false };

    await tx.within({ userId }, async (inner) => {
      const change = { userId, name, familyName, expected, at: now() };
      if (!(await repository.rename(inner, change))) throw nameChanged();
      await recordUserUpdated(inner);
    });
    const target = { type: 'user', id: userId };
    await recordAudit(tx, context, { action: 'user.updated', target, details: { fields } });
    return { account: { ...account, name }, hasChanged: true };
  }
}

function isExpected({ name, familyName }: WholeName, expected: WholeName | undefined): boolean {
  return expected === undefined || (expected.name === name && expected.familyName === familyName);
}
