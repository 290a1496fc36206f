//#file events
import { statement, type Rows, type Transaction } from '../database.ts';

/** What auth-service tells of the organization; written by the reader of events alone. */
export interface OrganizationRepository {
  keep(tx: Transaction, organization: { readonly name: string }): Promise<void>;
  forget(tx: Transaction): Promise<void>;
  /** Null until auth-service has told it. */
  nameOf(rows: Rows): Promise<string | null>;
}

const keepName = statement({
  name: 'organization-keep',
  text: `
    INSERT INTO organizations (organization_id, name) VALUES ($1, $2)
    ON CONFLICT (organization_id) DO UPDATE SET name = excluded.name`,
});

const forgetName = statement({
  name: 'organization-forget',
  text: 'DELETE FROM organizations WHERE organization_id = $1',
});

const organizationName = statement({
  name: 'organization-name',
  text: 'SELECT name FROM organizations WHERE organization_id = $1',
});

/** The organization in PostgreSQL. */
export function createOrganizationRepository(): OrganizationRepository {
  return {
    async keep(tx, { name }) {
      await tx.query(keepName, [name]);
    },

    async forget(tx) {
      await tx.query(forgetName, []);
    },

    async nameOf(rows) {
      const [organization] = await rows.query(organizationName, []);
      return organization?.name ?? null;
    },
  };
}
