import { statement, type Rows, type Transaction } from '../database.ts';

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

/** What auth-service tells of the organization; written by the reader of events alone. */
export class OrganizationRepository {
  async keep(tx: Transaction, { name }: { readonly name: string }): Promise<void> {
    await tx.query(keepName, [name]);
  }

  async forget(tx: Transaction): Promise<void> {
    await tx.query(forgetName, []);
  }

  /** Null until auth-service has told it. */
  async nameOf(rows: Rows): Promise<string | null> {
    const [organization] = await rows.query(organizationName, []);
    return organization?.name ?? null;
  }
}
