import type { Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import { tooManyOrganizations, tooManyPeople } from './places.errors.ts';
import { PlacesRepository } from './places.repository.ts';

/**
 * The quotas of memberships: the organizations that an account may belong to, and the people whom an organization may have. Both
 * are small until an address is confirmed. What adds to them is counted in its transaction, under the lock that every other addition
 * waits for, so that together they add no more than fits. ASVS 5.0, 15.2.2.
 */
export class Places {
  readonly #dependencies: Pick<Ground, 'config' | 'now'>;
  readonly #repository = new PlacesRepository();

  constructor(dependencies: Pick<Ground, 'config' | 'now'>) {
    this.#dependencies = dependencies;
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
    const { config, now } = this.#dependencies;
    const { taken, isConfirmed } = await this.#repository.inOrganization(tx, now());
    const quota = isConfirmed
      ? config.MAX_PEOPLE_PER_ORGANIZATION
      : config.MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED;
    if (taken > quota) throw tooManyPeople(isConfirmed);
  }
}
