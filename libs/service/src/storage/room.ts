import { databaseRefusals } from '../failures/refusals.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { StorageRepository } from './storage.repository.ts';

/**
 * Room for what another service is about to create, and this one keeps a copy of: PostgreSQL refuses no copy. Requests at the
 * same moment may go beyond the quota by one each.
 */
export class Room {
  readonly #repository = new StorageRepository();

  /** @throws QUOTA_EXCEEDED */
  async require(tenant: Tenant): Promise<void> {
    const use = await this.#repository.useOf(tenant, tenant.scope.organizationId);
    if (!use || (use.rows < use.rowsMax && use.bytes < use.bytesMax)) return;
    throw databaseRefusals[use.isConfirmed ? 'over-quota' : 'over-small-quota'];
  }
}
