import type { Background, Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { ReclaimPersonal, SignIn } from '../sign-in/index.ts';
import { createDeletionsRepository } from './deletions/deletions.repository.ts';
import { createDeletions, type Deletions } from './deletions/deletions.ts';
import { createPurgesRepository } from './deletions/purges.repository.ts';
import { createPurges, type Purges } from './deletions/purges.ts';
import { createRestoresRepository } from './deletions/restores.repository.ts';
import { createRestores, type Restores } from './deletions/restores.ts';
import { createInvitations, type Invitations } from './invitations/invitations.ts';
import { createLogosRepository } from './logos/logos.repository.ts';
import { createLogos, type Logos } from './logos/logos.ts';
import { createMembersRepository } from './members/members.repository.ts';
import { createMembers, type Members } from './members/members.ts';
import { createMemberships, type Memberships } from './members/memberships.ts';
import { createOrganizationChanges, type OrganizationChanges } from './organization-changes.ts';
import { createOrganizationsRepository } from './organizations.repository.ts';
import { createOrganizations, type Organizations } from './organizations.ts';
import { createReclaimPersonal } from './reclaim-personal.ts';

/** Organizations, who belongs to them, and who is invited. */
export interface OrganizationsWing {
  readonly organizations: Organizations;
  readonly organizationChanges: OrganizationChanges;
  readonly deletions: Deletions;
  readonly restores: Restores;
  readonly purges: Purges;
  readonly logos: Logos;
  readonly memberships: Memberships;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly reclaimPersonal: ReclaimPersonal;
  readonly background: Background;
}

/** What organizations are built on. */
export interface OrganizationsWingDependencies extends Ground {
  readonly mail: Mail;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
}

/** Puts everything together that organizations consist of. */
export function createOrganizationsWing(dependencies: OrganizationsWingDependencies): OrganizationsWing {
  const organizationsRepository = createOrganizationsRepository();
  const organizations = createOrganizations({ ...dependencies, repository: organizationsRepository });

  const repository = createMembersRepository();
  const memberships = createMemberships({ ...dependencies, repository, organizations });
  const parts = { ...dependencies, organizations, memberships };
  const invitations = createInvitations(parts);
  const organizationChanges = createOrganizationChanges({ ...parts, repository: organizationsRepository });
  const { deletions, restores, purges } = createDeletionParts({ ...parts, invitations });
  return {
    organizations,
    organizationChanges,
    deletions,
    restores,
    purges,
    logos: createLogos({ ...parts, repository: createLogosRepository(), organizationChanges }),
    memberships,
    members: createMembers({ ...parts, repository }),
    invitations,
    reclaimPersonal: createReclaimPersonal({ ...parts, repository, invitations, organizationChanges }),
    background: { ...purges.background, sweeps: { invitations: () => invitations.sweep() } },
  };
}

interface DeletionParts extends Ground {
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly invitations: Invitations;
}

function createDeletionParts(parts: DeletionParts) {
  const repository = createDeletionsRepository();
  const deletions = createDeletions({ ...parts, repository });
  const restores = createRestores({
    ...parts,
    deletions: repository,
    repository: createRestoresRepository(),
  });
  const purges = createPurges({
    ...parts,
    deletions,
    deleted: repository,
    repository: createPurgesRepository(),
  });
  return { deletions, restores, purges };
}
