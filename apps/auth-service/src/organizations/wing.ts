import type { Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Sessions, StepUpRequirement } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { DeletionsRepository } from './deletions/deletions.repository.ts';
import { Deletions } from './deletions/deletions.ts';
import { PurgesRepository } from './deletions/purges.repository.ts';
import { Purges } from './deletions/purges.ts';
import { RestoresRepository } from './deletions/restores.repository.ts';
import { Restores } from './deletions/restores.ts';
import { Invitations } from './invitations/invitations.ts';
import { LogosRepository } from './logos/logos.repository.ts';
import { Logos } from './logos/logos.ts';
import { MembersRepository } from './members/members.repository.ts';
import { Members } from './members/members.ts';
import { Memberships } from './members/memberships.ts';
import { OrganizationChanges } from './organization-changes.ts';
import { OrganizationsRepository } from './organizations.repository.ts';
import { Organizations } from './organizations.ts';
import { createReclaimPersonal } from './reclaim-personal.ts';

/** Dependencies of the wing. */
interface OrganizationsWingDependencies extends Ground {
  readonly mail: Mail;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
}

/** Composes the wing. */
export function createOrganizationsWing(dependencies: OrganizationsWingDependencies) {
  const organizationsRepository = new OrganizationsRepository();
  const organizations = new Organizations({ ...dependencies, repository: organizationsRepository });

  const repository = new MembersRepository();
  const memberships = new Memberships({ ...dependencies, repository, organizations });
  const parts = { ...dependencies, organizations, memberships };
  const invitations = new Invitations(parts);
  const organizationChanges = new OrganizationChanges({ ...parts, repository: organizationsRepository });
  const { deletions, restores, purges } = createDeletionParts({ ...parts, invitations });
  return {
    organizations,
    organizationChanges,
    deletions,
    restores,
    purges,
    logos: new Logos({ ...parts, repository: new LogosRepository(), organizationChanges }),
    memberships,
    members: new Members({ ...parts, repository }),
    invitations,
    reclaimPersonal: createReclaimPersonal({ ...parts, repository, invitations, organizationChanges }),
    background: { work: [purges.work], sweeps: { invitations: () => invitations.sweep() } },
  };
}

/** Organizations, members and invitations. */
export type OrganizationsWing = ReturnType<typeof createOrganizationsWing>;

/** What the routes of the wing are given. */
export interface OrganizationsRoutesOptions extends OrganizationsWing, Pick<Ground, 'limits'> {
  readonly sessions: Pick<Sessions, 'reissue' | 'renewals' | 'switchOrganization'>;
  readonly stepUp: StepUpRequirement;
}

interface DeletionParts extends Ground {
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly invitations: Invitations;
}

function createDeletionParts(parts: DeletionParts) {
  const repository = new DeletionsRepository();
  const deletions = new Deletions({ ...parts, repository });
  const restores = new Restores({
    ...parts,
    deletions: repository,
    repository: new RestoresRepository(),
  });
  const purges = new Purges({
    ...parts,
    deletions,
    deleted: repository,
    repository: new PurgesRepository(),
  });
  return { deletions, restores, purges };
}
