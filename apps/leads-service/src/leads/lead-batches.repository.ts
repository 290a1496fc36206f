import type { AccountActor } from '@tenantry/service/resources';
import { statementFamily } from '@tenantry/tenancy';
import { statement, type Tenant, type Transaction } from '../database.ts';
import { everyFilterValue, filterConditions } from './lead-filters.repository.ts';
import { orderByClause } from './lead-page.repository.ts';
import { leadOrders, type Lead, type NewLead, type SortedLeads } from './lead.ts';
import { leadTexts, textLists } from './lead-texts.ts';
import { leadColumns } from './leads.repository.ts';

const batchRows = 500;
const everything = Number.MAX_SAFE_INTEGER;

// The conditions of a filter count from $4 on, behind the limit and the offset of a page.
const exports = statementFamily(leadOrders, (order) =>
  statement({
    name: `lead-export-${order}`,
    like: 'lead-export',
    text: `
      SELECT ${leadColumns} FROM leads
      WHERE organization_id = $1 AND deleted_at IS NULL ${filterConditions.dated}
      ORDER BY ${orderByClause(order)} LIMIT $2 OFFSET $3`,
  }),
);

const insertMany = statement({
  name: 'lead-insert-many',
  text: `
    WITH lead AS (
      INSERT INTO leads (organization_id, ${leadTexts.join(', ')})
      SELECT $1, ${leadTexts.map((name) => `given.${name}`).join(', ')}
      FROM unnest(${leadTexts.map((_, at) => `$${at + 4}::text[]`).join(', ')})
        AS given (${leadTexts.join(', ')})
      RETURNING id
    )
    INSERT INTO lead_status_changes (organization_id, lead_id, to_status, actor_kind, actor_user_id)
    SELECT $1, lead.id, 'new', $2, $3 FROM lead`,
});

/** Many leads at once. */
export class LeadBatchRepository {
  /** Reads all leads of a query with all fields, by a cursor: in batches of one snapshot. */
  async *read(tenant: Tenant, { sort, ...filters }: SortedLeads): AsyncGenerator<Lead[]> {
    const values = [everything, 0, ...everyFilterValue(filters)] as const;
    yield* tenant.batches(exports[sort], values, { rows: batchRows });
  }

  /** Creates leads in one statement, each with its first status. */
  async insert(tx: Transaction, leads: readonly NewLead[], { kind, userId }: AccountActor): Promise<void> {
    await tx.query(insertMany, [kind, userId, ...textLists(leads)]);
  }
}
