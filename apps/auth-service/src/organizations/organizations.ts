import { invalidField } from '@tenantry/envelope';
import type { Transaction } from '../database.ts';
import type { Membership, SessionUser } from '../sessions/session.ts';
import { requireDisplayable } from '../text/display-name.ts';
import type { Organization } from './organization.ts';
import type { Foundation, OrganizationsRepository } from './organizations.repository.ts';
import { isSlug, slugFrom, slugRule } from './slug.ts';

/** What the use cases of organizations need. */
export interface OrganizationsDependencies {
  readonly repository: OrganizationsRepository;
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
    wanted: { readonly name: string; readonly slug: string },
  ): Promise<Organization>;
  /** Describes the organization that comes with an account. */
  personalFoundation(owner: Pick<SessionUser, 'id' | 'name'>): Foundation;
  /** Runs work that ends with {@link Organizations.found}, in the scope of the new organization and its owner. */
  transaction<Result>(foundation: Foundation, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  found(tx: Transaction, foundation: Foundation): Promise<void>;
  listOf(user: SessionUser): Promise<Membership[]>;
}

/** Makes the use cases of organizations. */
export function createOrganizations(dependencies: OrganizationsDependencies): Organizations {
  const { repository, now, newId, newSlugSuffix } = dependencies;

  return {
    async create(founder, { name, slug }) {
      requireDisplayable('name', name);
      if (!isSlug(slug)) throw invalidField('slug', slugRule);

      const organization = { id: newId(), name, slug, createdAt: now() };
      const foundation = { organization, ownerId: founder.id };
      await repository.transaction(foundation, (tx) => repository.insert(tx, foundation));
      return organization;
    },

    personalFoundation({ id, name }) {
      const organization = {
        id: newId(),
        name: `${name}'s organization`,
        slug: slugFrom(name, newSlugSuffix()),
        createdAt: now(),
      };
      return { organization, ownerId: id };
    },

    transaction: (foundation, work) => repository.transaction(foundation, work),
    found: (tx, foundation) => repository.insert(tx, foundation),
    listOf: ({ id }) => repository.listOf(id),
  };
}
