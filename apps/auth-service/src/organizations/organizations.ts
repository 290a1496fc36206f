import type { Actor } from '@tenantry/service/resources';
import { recordAudit } from '../audit/index.ts';
import type { OrganizationTransaction, Transaction } from '../database.ts';
import { recordEvent, recordMember } from '../events/index.ts';
import {
  organizationNotFound,
  type CallerContext,
  type Context,
  type Ground,
  type User,
} from '../ground/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { standardSettings } from './organization-settings.ts';
import {
  OrganizationsRepository,
  type NewOrganization,
  type OrganizationProfile,
} from './organizations.repository.ts';
import type { Places } from './places/places.ts';
import { newSlugSuffix, slugFrom } from './slug.ts';

interface OrganizationsDependencies extends Pick<Ground, 'config' | 'database' | 'now' | 'newId'> {
  readonly places: Pick<Places, 'requireOfUser'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** Creates and finds organizations. */
export class Organizations {
  readonly #dependencies: OrganizationsDependencies;
  readonly #repository = new OrganizationsRepository();

  constructor(dependencies: OrganizationsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates an organization with its first owner. It does not become the active one.
   *
   * @throws SLUG_TAKEN; QUOTA_EXCEEDED
   */
  async create(
    context: CallerContext,
    wanted: { readonly name: string; readonly slug: string },
  ): Promise<OrganizationProfile> {
    const { userId } = context.actor;
    const planned = this.#plan({ ownerId: userId, ...wanted, isPersonal: false });
    const founding = { ...context, organizationId: planned.organization.id };
    const { places, sessions } = this.#dependencies;
    return sessions.callers.towards(founding, async (tx) => {
      const organization = await this.insert(tx, context, planned);
      await places.requireOfUser(tx);
      return organization;
    });
  }

  /** Describes the organization that comes with an account: of the name that was given, or else named after its owner. */
  planPersonal({ id: ownerId, name }: Pick<User, 'id' | 'name'>, given: NamedFor = {}): NewOrganization {
    const { organizationName, language } = given;
    return this.#plan({
      ownerId,
      name: organizationName ?? namedAfter(name, language),
      slug: slugFrom(organizationName ?? name, newSlugSuffix()),
      isPersonal: true,
    });
  }

  /**
   * Inserts an organization and its first member, in a transaction in the scope of both. Its time zone is that of its owner.
   *
   * @returns the organization as it was inserted
   */
  async insert(
    tx: OrganizationTransaction,
    context: Context<Actor>,
    planned: NewOrganization,
  ): Promise<OrganizationProfile> {
    const { ownerId } = planned;
    const organization = await this.#repository.insert(tx, planned);
    await recordEvent(tx, organizationEvent('organization.created', organization));
    await recordMember(tx, 'member.added', ownerId);
    const target = { type: 'organization', id: organization.id };
    await recordAudit(tx, context, { action: 'organization.created', target });
    return organization;
  }

  async get(organizationId: string): Promise<OrganizationProfile> {
    const { database } = this.#dependencies;
    const organization = await this.#repository.find(database.within({ organizationId }), organizationId);
    if (!organization) throw organizationNotFound();
    return organization;
  }

  /** As a transaction in its scope sees it. */
  find(tx: Transaction, organizationId: string): Promise<OrganizationProfile | undefined> {
    return this.#repository.find(tx, organizationId);
  }

  /** Deletes its row, with its invitations and logo, in a transaction in its scope. */
  remove(tx: Transaction, organizationId: string): Promise<void> {
    return this.#repository.remove(tx, organizationId);
  }

  #plan({ name, slug, ...rest }: Plan): NewOrganization {
    const { config, now, newId } = this.#dependencies;
    const settings = { ...standardSettings, defaultCurrency: config.DEFAULT_CURRENCY };
    const createdAt = now().toISOString();
    return { organization: { id: newId(), name, slug, createdAt, settings, logo: null }, ...rest };
  }
}

/** What the first organization of an account is called by. */
interface NamedFor {
  readonly organizationName?: string | undefined;
  readonly language?: string | null;
}

/** In the language of its owner: Swedish names that end in s, x or z have no other s. */
function namedAfter(name: string, language: string | null | undefined): string {
  if (language !== 'sv') return `${name}'s organization`;
  return `${name}${/[sxz]$/i.test(name) ? '' : 's'} organisation`;
}

type Plan = Omit<NewOrganization, 'organization'> & Pick<OrganizationProfile, 'name' | 'slug'>;

/** The event of an organization that was created or changed. */
export function organizationEvent<Type extends 'organization.created' | 'organization.updated'>(
  type: Type,
  { id: organizationId, name, slug, createdAt, settings, logo }: OrganizationProfile,
) {
  return { type, organizationId, name, slug, createdAt, settings, logo };
}
