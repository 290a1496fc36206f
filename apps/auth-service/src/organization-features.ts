import { randomInt } from 'node:crypto';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { createInvitationsRepository } from './organizations/invitations/invitations.repository.ts';
import { createInvitations } from './organizations/invitations/invitations.ts';
import type { EnqueueMail } from './mail/mail.ts';
import { createMembersRepository } from './organizations/members/members.repository.ts';
import { createMembers } from './organizations/members/members.ts';
import { createMemberships } from './organizations/members/memberships.ts';
import { createOrganizationChanges } from './organizations/organization-changes.ts';
import { createOrganizationsRepository } from './organizations/organizations.repository.ts';
import { createOrganizations } from './organizations/organizations.ts';
import { createErasureRepository } from './accounts/erasure.repository.ts';
import { createErasure } from './accounts/erasure.ts';

/** What organizations and their people are built on. */
export interface OrganizationFeaturesDependencies {
  readonly config: Pick<Config, 'DEFAULT_CURRENCY' | 'PERSONAL_ORGANIZATIONS'>;
  readonly database: AuthDatabase;
  readonly enqueueMail: EnqueueMail;
  readonly hasSecondFactor: (userId: string) => Promise<boolean>;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts everything together that organizations consist of: members, invitations, settings, and the end of both. */
export function createOrganizationFeatures(dependencies: OrganizationFeaturesDependencies) {
  const { config, database, enqueueMail, hasSecondFactor, now, newId } = dependencies;
  const organizationsRepository = createOrganizationsRepository(database);
  const organizations = createOrganizations({
    repository: organizationsRepository,
    defaultCurrency: config.DEFAULT_CURRENCY,
    now,
    newId,
    newSlugSuffix,
  });

  const membersRepository = createMembersRepository(database);
  const memberships = createMemberships({
    repository: membersRepository,
    organizations,
    personalOrganizations: config.PERSONAL_ORGANIZATIONS,
    now,
  });
  const organizationChanges = createOrganizationChanges({
    repository: organizationsRepository,
    memberships,
    hasSecondFactor,
    now,
  });
  return {
    organizations,
    organizationChanges,
    memberships,
    members: createMembers({ repository: membersRepository, memberships, now }),
    invitations: createInvitations({
      repository: createInvitationsRepository(database),
      memberships,
      organizations,
      enqueueMail,
      now,
      newId,
    }),
    erasure: createErasure({
      repository: createErasureRepository(database),
      memberships,
      organizationChanges,
      now,
    }),
  };
}

const slugSuffixLength = 8;

function newSlugSuffix(): string {
  return Array.from({ length: slugSuffixLength }, () => randomInt(36).toString(36)).join('');
}
