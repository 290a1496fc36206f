import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import type { Client } from '../ground/callers/client.ts';
import { organizationNotFound } from '../sessions/sessions.errors.ts';
import type { Membership, SessionUser } from '../sessions/session.ts';
import { requireDisplayable } from '../ground/text/display-name.ts';
import type { OrganizationProfile } from './organization.ts';
import { standardQuoteNumberPrefix, standardVatRate } from './organization-settings.ts';
import type { Foundation, OrganizationsRepository } from './organizations.repository.ts';
import { slugFrom } from './slug.ts';

/** What the use cases of organizations need. */
export interface OrganizationsDependencies {
  readonly repository: OrganizationsRepository;
  /** The currency of a new organization. */
  readonly defaultCurrency: string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Random a to z and 0 to 9. */
  readonly newSlugSuffix: () => string;
}

/** Founding organizations and finding one's own. */
export interface Organizations {
  /** Founds an organization; its founder is the owner. It does not become the active one. */
  create(
    founder: SessionUser,
    wanted: { readonly name: string; readonly slug: string; readonly client: Client },
  ): Promise<OrganizationProfile>;
  /** Describes the organization that comes with an account. */
  personalFoundation(owner: SessionUser): Foundation;
  /** Makes the organization and its first member, in a transaction in the scope of both. */
  found(tx: Transaction, foundation: Foundation, client?: Client): Promise<void>;
  get(organizationId: string): Promise<OrganizationProfile>;
  listOf(user: SessionUser): Promise<Membership[]>;
}

/** Makes the use cases of organizations. */
export function createOrganizations(dependencies: OrganizationsDependencies): Organizations {
  const { repository, defaultCurrency, now, newId, newSlugSuffix } = dependencies;

  function foundation(owner: SessionUser, { name, slug }: { name: string; slug: string }): Foundation {
    const settings = {
      defaultCurrency,
      vatRate: standardVatRate,
      quoteNumberPrefix: standardQuoteNumberPrefix,
      requireTwoFactor: false,
    };
    return { organization: { id: newId(), name, slug, createdAt: now(), settings }, owner };
  }

  async function found(tx: Transaction, { organization, owner }: Foundation, client?: Client): Promise<void> {
    await repository.insert(tx, { organization, owner });
    const { id: organizationId, createdAt } = organization;
    const { id: userId, email, name } = owner;
    await recordEvent(tx, organizationEvent('organization.created', organization));
    await recordEvent(tx, {
      type: 'member.added',
      ...{ organizationId, userId, email, name, role: 'owner', createdAt },
    });
    await recordAudit(tx, {
      organizationId,
      actorUserId: userId,
      action: 'organization.created',
      target: { type: 'organization', id: organizationId },
      ...(client && { client }),
    });
  }

  return {
    async create(founder, { client, ...wanted }) {
      requireDisplayable('name', wanted.name);

      const { organization } = foundation(founder, wanted);
      const place = { organizationId: organization.id, userId: founder.id };
      await repository.transaction(place, (tx) => found(tx, { organization, owner: founder }, client));
      return organization;
    },

    personalFoundation: (owner) =>
      foundation(owner, {
        name: `${owner.name}'s organization`,
        slug: slugFrom(owner.name, newSlugSuffix()),
      }),

    found,

    async get(organizationId) {
      const organization = await repository.find(organizationId);
      if (!organization) throw organizationNotFound();
      return organization;
    },

    listOf: ({ id }) => repository.listOf(id),
  };
}

/** What other services learn of an organization that began or changed. */
export function organizationEvent<Type extends 'organization.created' | 'organization.updated'>(
  type: Type,
  { id: organizationId, name, slug, createdAt, settings }: OrganizationProfile,
) {
  return { type, organizationId, name, slug, createdAt, settings };
}
