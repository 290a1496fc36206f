import { statement } from '@tenantry/tenancy';
import type { ReadLeadBatches } from './lead-batches.ts';
import { everyFilterValue, filterConditions, type FilterValue } from './lead-filters.repository.ts';
import { orderByClause } from './lead-page.repository.ts';
import { leadColumns, toLead, type LeadRow } from './lead-row.ts';
import { leadOrders } from './lead.ts';

const batchRows = 500;

type Values = [limit: null, offset: number, ...filter: FilterValue[]];

// The conditions of a filter count from $4 on, behind the limit and the offset of a page.
const statements = new Map(
  leadOrders.map((order) => [
    order,
    statement<LeadRow, Values>({
      name: `lead-export-${order}`,
      text: `
        SELECT ${leadColumns} FROM leads
        WHERE organization_id = $1 AND deleted_at IS NULL ${filterConditions.dated}
        ORDER BY ${orderByClause(order)} LIMIT $2::bigint OFFSET $3::bigint`,
    }),
  ]),
);

/** Leads in PostgreSQL, read by a cursor. */
export const readLeadBatches: ReadLeadBatches = async function* (tenant, { sort, ...filters }) {
  const statement = statements.get(sort);
  if (!statement) throw new Error(`there is no order ${sort}`);
  const values: Values = [null, 0, ...everyFilterValue(filters)];
  for await (const rows of tenant.batches(statement, values, { rows: batchRows })) yield rows.map(toLead);
};
