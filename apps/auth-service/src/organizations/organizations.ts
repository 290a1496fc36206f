import { recordAudit } from '../audit/index.ts';
import type { OrganizationTransaction, Transaction } from '../database.ts';
import { recordEvent, recordMember } from '../events/index.ts';
import { organizationNotFound, type Client, type Ground, type User } from '../ground/index.ts';
import { standardSettings } from './organization-settings.ts';
import type { OrganizationProfile } from './organization.ts';
import type { NewOrganization, OrganizationsRepository } from './organizations.repository.ts';
import { newSlugSuffix, slugFrom } from './slug.ts';

/** What the use cases of organizations need. */
export interface OrganizationsDependencies extends Pick<Ground, 'config' | 'database' | 'now' | 'newId'> {
  readonly repository: Pick<OrganizationsRepository, 'insert' | 'find' | 'remove'>;
}

/** Creating organizations and finding one. */
export interface Organizations {
  /** Creates an organization with its first owner. It does not become the active one. */
  create(
    owner: User,
    wanted: { readonly name: string; readonly slug: string; readonly client: Client },
  ): Promise<OrganizationProfile>;
  /** Describes the organization that comes with an account. */
  planPersonal(owner: User): NewOrganization;
  /** Inserts an organization and its first member, in a transaction in the scope of both. */
  insert(tx: OrganizationTransaction, planned: NewOrganization, client?: Client): Promise<void>;
  get(organizationId: string): Promise<OrganizationProfile>;
  /** As a transaction in its scope sees it. */
  find(tx: Transaction, organizationId: string): Promise<OrganizationProfile | undefined>;
  /** Takes its row away, and its invitations and logo with it, in a transaction in its scope. */
  remove(tx: Transaction, organizationId: string): Promise<void>;
}

export function createOrganizations(dependencies: OrganizationsDependencies): Organizations {
  const { config, database, repository, now, newId } = dependencies;

  function plan({ owner, name, slug, isPersonal }: Plan): NewOrganization {
    const settings = { ...standardSettings, defaultCurrency: config.DEFAULT_CURRENCY };
    return {
      organization: { id: newId(), name, slug, createdAt: now(), settings, logo: null },
      owner,
      isPersonal,
    };
  }

  const insert: Organizations['insert'] = async (tx, planned, client) => {
    const { organization, owner } = planned;
    await repository.insert(tx, planned);
    const { id: organizationId } = organization;
    const { id: userId } = owner;
    await recordEvent(tx, organizationEvent('organization.created', organization));
    await recordMember(tx, 'member.added', userId);
    await recordAudit(tx, {
      actorUserId: userId,
      action: 'organization.created',
      target: { type: 'organization', id: organizationId },
      ...(client && { client }),
    });
  };

  return {
    insert,
    find: (tx, organizationId) => repository.find(tx, organizationId),
    remove: (tx, organizationId) => repository.remove(tx, organizationId),

    async create(owner, { client, ...wanted }) {
      const planned = plan({ owner, ...wanted, isPersonal: false });
      const place = { organizationId: planned.organization.id, userId: owner.id };
      await database.within(place).transaction((tx) => insert(tx, planned, client));
      return planned.organization;
    },

    planPersonal: (owner) =>
      plan({
        owner,
        name: `${owner.name}'s organization`,
        slug: slugFrom(owner.name, newSlugSuffix()),
        isPersonal: true,
      }),

    async get(organizationId) {
      const organization = await repository.find(database.within({ organizationId }), organizationId);
      if (!organization) throw organizationNotFound();
      return organization;
    },
  };
}

interface Plan {
  readonly owner: User;
  readonly name: string;
  readonly slug: string;
  readonly isPersonal: boolean;
}

/** What other services learn of an organization that was created or changed. */
export function organizationEvent<Type extends 'organization.created' | 'organization.updated'>(
  type: Type,
  { id: organizationId, name, slug, createdAt, settings, logo }: OrganizationProfile,
) {
  return { type, organizationId, name, slug, createdAt, settings, logo };
}
