import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import { countChange, type Ground } from '../ground/index.ts';
import {
  forbidden,
  memberNotFound,
  requirePermission,
  type OrganizationsWing,
} from '../organizations/index.ts';
import { nameChanged } from './provisioning.errors.ts';
import type { Account, ProvisioningRepository } from './provisioning.repository.ts';
import { clientOf, type Request } from './request.ts';

/** What the name of an account becomes. */
export interface Renaming extends Request {
  readonly userId: string;
  readonly name: string;
  readonly familyName?: string | null;
  /** Renames only where the name is still this one. */
  readonly expected?: WholeName;
}

/** What renaming needs. */
export interface RenamingDependencies extends Pick<Ground, 'database' | 'limits' | 'now'> {
  readonly organizations: Pick<OrganizationsWing, 'memberships'>;
  readonly repository: Pick<ProvisioningRepository, 'findMember' | 'rename'>;
}

interface WholeName {
  readonly name: string;
  readonly familyName: string | null;
}

interface Renamed {
  readonly account: Account;
  readonly hasChanged: boolean;
}

export function createRename(dependencies: RenamingDependencies): (renaming: Renaming) => Promise<Account> {
  const { database, limits, repository, now } = dependencies;
  const { memberships } = dependencies.organizations;

  /** A name is shown in every organization of a user: none of them changes it for the others. */
  async function requireNoOther(tx: Transaction, userId: string): Promise<void> {
    const { organizationId = '' } = tx.scope;
    const belongsToOthers = await tx.within({ userId }, (inner) =>
      memberships.belongsToOthers(inner, organizationId),
    );
    if (belongsToOthers) {
      throw forbidden(
        'This account is also used elsewhere: only its owner can change the name.',
        'ACCOUNT_SHARED',
      );
    }
  }

  async function rename(tx: Transaction, renaming: Renaming): Promise<Renamed> {
    const { userId, name, familyName = null, expected, organizationId, actorUserId } = renaming;
    const isOwn = actorUserId === userId;
    if (!isOwn) requirePermission(await memberships.lockAs(tx, actorUserId), 'users:write');
    const member = await repository.findMember(tx, userId);
    if (!member) throw memberNotFound();
    const { createdBy, familyName: formerFamilyName, ...account } = member;
    if (!isOwn && createdBy !== organizationId) await requireNoOther(tx, userId);
    const isSame = name === account.name && familyName === formerFamilyName;
    if (isSame && isExpected(member, expected)) return { account, hasChanged: false };

    await tx.within({ userId }, async (inner) => {
      const change = { userId, name, familyName, expected, at: now() };
      if (!(await repository.rename(inner, change))) throw nameChanged();
      await recordUserUpdated(inner);
    });
    const target = { type: 'user', id: userId };
    await recordAudit(tx, { actorUserId, action: 'user.updated', target, client: clientOf(renaming) });
    return { account: { ...account, name }, hasChanged: true };
  }

  return async (renaming) => {
    const { organizationId, userId, actorUserId } = renaming;
    const inTransaction = () =>
      database.within({ organizationId, userId: actorUserId }).transaction((tx) => rename(tx, renaming));
    if (actorUserId !== userId) return (await inTransaction()).account;
    const charge = { limiter: limits.accountChanges, key: userId };
    return (await countChange(charge, inTransaction)).account;
  };
}

function isExpected({ name, familyName }: WholeName, expected: WholeName | undefined): boolean {
  return expected === undefined || (expected.name === name && expected.familyName === familyName);
}
