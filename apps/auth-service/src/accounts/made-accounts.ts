import { isUniqueViolation } from '@tenantry/service/failures';
import { models, type OrganizationTransaction } from '../database.ts';
import type { Client, Ground, User } from '../ground/index.ts';
import type { OrganizationsWing } from '../organizations/index.ts';
import type { NewAccounts } from './new-accounts.ts';

interface MadeAccountsDependencies extends Pick<Ground, 'config' | 'now'> {
  readonly newAccounts: Pick<NewAccounts, 'replaceAwaiting'>;
  readonly organizations: Pick<OrganizationsWing, 'places'>;
}

/** Accounts that an organization makes for its people: it has proven the domain of their addresses, which count as confirmed. */
export class MadeAccounts {
  readonly #dependencies: MadeAccountsDependencies;

  constructor(dependencies: MadeAccountsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates an account without a password or membership, in a transaction in the scope of its organization. One that waits for the
   * address to be confirmed gives way: it has had no sign-in, so that the organization's people come first.
   *
   * @returns false where the address has an account, which ends the transaction
   * @throws QUOTA_EXCEEDED
   */
  async create(tx: OrganizationTransaction, { id, email, name }: User, client: Client): Promise<boolean> {
    const { config, newAccounts, now, organizations } = this.#dependencies;
    const { organizationId } = tx.scope;
    if (config.REQUIRE_EMAIL_VERIFICATION) {
      await tx.within({ organizationId, userId: id }, (inner) =>
        newAccounts.replaceAwaiting(inner, email, client),
      );
    }
    const at = now();
    const times = { createdAt: at, updatedAt: at, emailVerifiedAt: at };
    try {
      await models(tx).user.create({
        data: { id, email, name, createdByOrganizationId: organizationId, ...times },
      });
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    await organizations.places.requireAccountMade(tx);
    return true;
  }
}
