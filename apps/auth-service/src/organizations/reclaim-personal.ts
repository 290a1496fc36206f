import type { OrganizationTransaction } from '../database.ts';
import type { OrganizationContext } from '../ground/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { ReclaimPersonal } from '../sign-in/index.ts';
import type { Domains } from './domains/domains.ts';
import type { Invitations } from './invitations/invitations.ts';
import { MembersRepository } from './members/members.repository.ts';
import type { Memberships } from './members/memberships.ts';
import type { OrganizationChanges } from './organization-changes.ts';
import type { ServiceAccounts } from './service-accounts/service-accounts.ts';
import type { SsoRequirement } from './sso-requirement/sso-requirement.ts';

/** Deletes the connections of an organization, in a transaction in its scope that has locked it. */
export interface ConnectionsOfOrganization {
  removeAll(tx: OrganizationTransaction, context: OrganizationContext): Promise<void>;
}

interface ReclaimPersonalDependencies {
  readonly memberships: Pick<Memberships, 'beginPersonal' | 'changeRole' | 'lock'>;
  readonly organizationChanges: Pick<OrganizationChanges, 'letAllIn'>;
  readonly invitations: Pick<Invitations, 'withdrawAll'>;
  readonly serviceAccounts: Pick<ServiceAccounts, 'removeAll'>;
  readonly domains: Pick<Domains, 'removeAll'>;
  readonly ssoRequirement: Pick<SsoRequirement, 'fallAway'>;
  readonly connections: ConnectionsOfOrganization;
  readonly sessions: Pick<Sessions, 'beginNextIn'>;
}

const repository = new MembersRepository();

/**
 * Makes {@link ReclaimPersonal}: someone who created the account with an address that was not theirs may have added others to
 * its organization. They stay, since they may be honest, but lose their rights; invitations are withdrawn, and service accounts,
 * domains and connections deleted. The user resumes there, or in a new organization if there is none, and never in one of the former holder.
 */
export function createReclaimPersonal(dependencies: ReclaimPersonalDependencies): ReclaimPersonal {
  const { memberships, organizationChanges, invitations, serviceAccounts } = dependencies;
  const { domains, ssoRequirement, connections, sessions } = dependencies;

  async function reclaim(
    tx: OrganizationTransaction,
    context: OrganizationContext,
  ): Promise<readonly string[]> {
    const { userId } = context.actor;
    if (!(await memberships.lock(tx))) return [];
    const owner = await repository.find(tx, userId);
    if (!owner) return [];
    const others = await repository.listOthers(tx, userId);
    const changes = [
      { member: owner, role: 'owner' as const },
      ...others.map((member) => ({ member, role: 'member' as const })),
    ];
    for (const change of changes) {
      if (change.member.role !== change.role) await memberships.changeRole(tx, context, change);
    }
    await invitations.withdrawAll(tx);
    await serviceAccounts.removeAll(tx, context);
    await ssoRequirement.fallAway(tx, context, { isTold: false });
    await domains.removeAll(tx, context);
    await connections.removeAll(tx, context);
    // The second factor that it may require has been removed.
    await organizationChanges.letAllIn(tx, context);
    return others.map(({ name }) => name);
  }

  return async (tx, context) => {
    const { userId } = context.actor;
    const personal = await repository.listPersonal(tx);
    const others: string[] = [];
    for (const organizationId of personal) {
      const names = await tx.within({ organizationId, userId }, (inner) =>
        reclaim(inner, { ...context, organizationId }),
      );
      others.push(...names);
    }
    const all = await repository.listOfUser(tx, { acr: 'aal1', confinement: null });
    const elsewhere = all.filter(({ id }) => !personal.includes(id));
    const organizationId = personal[0] ?? (await memberships.beginPersonal(tx));
    await sessions.beginNextIn(tx, { userId, organizationId });
    return { others, organizations: elsewhere.map(({ name }) => name) };
  };
}
