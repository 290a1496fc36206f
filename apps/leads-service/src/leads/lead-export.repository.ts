import type { ReadLeadBatches } from './lead-batches.ts';
import { everyFilterValue, filterConditions } from './lead-filters.repository.ts';
import { orderByClause } from './lead-page.repository.ts';
import { leadColumns } from './lead-row.ts';
import { leadOrders } from './lead.ts';
import { statement } from '../database.ts';

const batchRows = 500;
const everything = Number.MAX_SAFE_INTEGER;

// The conditions of a filter count from $4 on, behind the limit and the offset of a page.
const statements = new Map(
  leadOrders.map((order) => [
    order,
    statement({
      name: `lead-export-${order}`,
      like: 'lead-export',
      text: `
        SELECT ${leadColumns} FROM leads
        WHERE organization_id = $1 AND deleted_at IS NULL ${filterConditions.dated}
        ORDER BY ${orderByClause(order)} LIMIT $2 OFFSET $3`,
    }),
  ]),
);

/** Leads in PostgreSQL, read by a cursor. */
export const readLeadBatches: ReadLeadBatches = async function* (tenant, { sort, ...filters }) {
  const statement = statements.get(sort);
  if (!statement) throw new Error(`there is no order ${sort}`);
  yield* tenant.batches(statement, [everything, 0, ...everyFilterValue(filters)], { rows: batchRows });
};
