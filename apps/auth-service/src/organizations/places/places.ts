import { connectionsMax, domainsMax, serviceAccountsMax } from '@tenantry/contracts';
import type { OrganizationTransaction, Rows, Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import { tooManyAccountsMade, tooManyOrganizations, tooManyPeople } from './places.errors.ts';
import { PlacesRepository } from './places.repository.ts';

type PlacesDependencies = Pick<Ground, 'config' | 'database' | 'now'>;

/** Accounts that an organization may have made, for each person whom it may have: those of people who leave stay theirs. */
const madeAccountsMax = 10;

/** The members and open invitations of an organization. */
export interface PeopleOfOrganization {
  readonly used: number;
  readonly quota: number;
  /** Whether an owner has confirmed an address, without which the quota is small. */
  readonly isConfirmed: boolean;
}

/**
 * The quotas of memberships: the organizations that an account may belong to, and the people whom an organization may have. Both
 * are small until an address is confirmed. What adds to them is counted in its transaction, under the lock that every other addition
 * waits for, so that together they add no more than fits. ASVS 5.0, 15.2.2.
 */
export class Places {
  readonly #dependencies: PlacesDependencies;
  readonly #repository = new PlacesRepository();

  constructor(dependencies: PlacesDependencies) {
    this.#dependencies = dependencies;
  }

  /** The members and open invitations of an organization, and how many it may have. */
  ofOrganization(organizationId: string): Promise<PeopleOfOrganization> {
    return this.#inOrganization(this.#dependencies.database.within({ organizationId }));
  }

  /** What else of an organization is counted, and how much of it there may be. */
  async waysInOf(organizationId: string) {
    const rows = this.#dependencies.database.within({ organizationId });
    const { serviceAccounts, domains, connections } = await this.#repository.waysIn(rows);
    return {
      serviceAccounts: { used: serviceAccounts, quota: serviceAccountsMax },
      domains: { used: domains, quota: domainsMax },
      connections: { used: connections, quota: connectionsMax },
    };
  }

  /** Once the scope's user, who is locked, has joined another organization. @throws QUOTA_EXCEEDED */
  async requireOfUser(tx: Transaction): Promise<void> {
    const { config } = this.#dependencies;
    const { taken, isConfirmed } = await this.#repository.ofUser(tx);
    const quota = isConfirmed
      ? config.MAX_ORGANIZATIONS_PER_USER
      : config.MAX_ORGANIZATIONS_PER_USER_UNCONFIRMED;
    if (taken > quota) throw tooManyOrganizations(isConfirmed);
  }

  /**
   * Once the scope's organization, which is locked, has another member or open invitation. An invitation keeps its place:
   * accepting it takes no other.
   *
   * @throws QUOTA_EXCEEDED
   */
  async requireInOrganization(tx: Transaction): Promise<void> {
    const { used, quota, isConfirmed } = await this.#inOrganization(tx);
    if (used > quota) throw tooManyPeople(isConfirmed);
  }

  /**
   * Once the scope's organization has made another account. It could otherwise add and remove people in turn, whose accounts stay.
   *
   * @throws QUOTA_EXCEEDED
   */
  async requireAccountMade(tx: OrganizationTransaction): Promise<void> {
    const { quota } = await this.#inOrganization(tx);
    if ((await this.#repository.accountsMade(tx)) > madeAccountsMax * quota) throw tooManyAccountsMade();
  }

  /** How many people the scope's organization may have. */
  async peopleMax(tx: OrganizationTransaction): Promise<number> {
    return (await this.#inOrganization(tx)).quota;
  }

  async #inOrganization(rows: Rows): Promise<PeopleOfOrganization> {
    const { config, now } = this.#dependencies;
    const { taken: used, isConfirmed } = await this.#repository.inOrganization(rows, now());
    const quota = isConfirmed
      ? config.MAX_PEOPLE_PER_ORGANIZATION
      : config.MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED;
    return { used, quota, isConfirmed };
  }
}
