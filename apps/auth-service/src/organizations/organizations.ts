import type { Actor } from '@tenantry/service-kit/resources';
import { recordAudit } from '../audit/index.ts';
import type { OrganizationTransaction, Transaction } from '../database.ts';
import { recordEvent, recordMember } from '../events/index.ts';
import { organizationNotFound, type Context, type Ground, type User } from '../ground/index.ts';
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
    context: Context,
    wanted: { readonly name: string; readonly slug: string },
  ): Promise<OrganizationProfile>;
  /** Describes the organization that comes with an account. */
  planPersonal(owner: Pick<User, 'id' | 'name'>): NewOrganization;
  /** Inserts an organization and its first member, in a transaction in the scope of both. */
  insert(tx: OrganizationTransaction, context: Context<Actor>, planned: NewOrganization): Promise<void>;
  get(organizationId: string): Promise<OrganizationProfile>;
  /** As a transaction in its scope sees it. */
  find(tx: Transaction, organizationId: string): Promise<OrganizationProfile | undefined>;
  /** Takes its row away, and its invitations and logo with it, in a transaction in its scope. */
  remove(tx: Transaction, organizationId: string): Promise<void>;
}

export function createOrganizations(dependencies: OrganizationsDependencies): Organizations {
  const { config, database, repository, now, newId } = dependencies;

  function plan({ name, slug, ...rest }: Plan): NewOrganization {
    const settings = { ...standardSettings, defaultCurrency: config.DEFAULT_CURRENCY };
    return { organization: { id: newId(), name, slug, createdAt: now(), settings, logo: null }, ...rest };
  }

  const insert: Organizations['insert'] = async (tx, context, planned) => {
    const { organization, ownerId } = planned;
    await repository.insert(tx, planned);
    await recordEvent(tx, organizationEvent('organization.created', organization));
    await recordMember(tx, 'member.added', ownerId);
    const target = { type: 'organization', id: organization.id };
    await recordAudit(tx, context, { action: 'organization.created', target });
  };

  return {
    insert,
    find: (tx, organizationId) => repository.find(tx, organizationId),
    remove: (tx, organizationId) => repository.remove(tx, organizationId),

    async create(context, wanted) {
      const { userId } = context.actor;
      const planned = plan({ ownerId: userId, ...wanted, isPersonal: false });
      const place = { organizationId: planned.organization.id, userId };
      await database.within(place).transaction((tx) => insert(tx, context, planned));
      return planned.organization;
    },

    planPersonal: ({ id: ownerId, name }) =>
      plan({
        ownerId,
        name: `${name}'s organization`,
        slug: slugFrom(name, newSlugSuffix()),
        isPersonal: true,
      }),

    async get(organizationId) {
      const organization = await repository.find(database.within({ organizationId }), organizationId);
      if (!organization) throw organizationNotFound();
      return organization;
    },
  };
}

type Plan = Omit<NewOrganization, 'organization'> & Pick<OrganizationProfile, 'name' | 'slug'>;

/** What other services learn of an organization that was created or changed. */
export function organizationEvent<Type extends 'organization.created' | 'organization.updated'>(
  type: Type,
  { id: organizationId, name, slug, createdAt, settings, logo }: OrganizationProfile,
) {
  return { type, organizationId, name, slug, createdAt, settings, logo };
}
