import { statement } from '@tenantry/tenancy';
import { leadOrders, type LeadListItem, type LeadListQuery, type LeadOrder } from './lead.ts';

/** A row of a page; a page beyond the end is one row that has a total and no lead. */
export type LeadPageRow = { readonly total: number } & (
  (Omit<LeadListItem, 'createdAt'> & { readonly createdAt: Date }) | { readonly id: null }
);

type PageValues = [pageSize: number, offset: number, ...filters: string[]];
type Filter = 'none' | 'status' | 'search' | 'status-search';

/** The statement and the values that answer a query. */
export function leadPage({ page, pageSize, sort, status, search = '' }: LeadListQuery) {
  const searches = search.trim() !== '';
  const values: PageValues = [pageSize, (page - 1) * pageSize];
  if (status !== undefined) values.push(status);
  if (searches) values.push(search);
  const filter: Filter =
    status === undefined ? (searches ? 'search' : 'none') : searches ? 'status-search' : 'status';
  return { statement: pageStatements[sort][filter], values };
}

// LIMIT 1 keeps the planner from reading the whole table for what it takes for a large page.
const leadOfPage = `
  SELECT id, name, email, phone, status, source, created_at AS "createdAt"
  FROM leads WHERE organization_id = $1 AND id = page.id LIMIT 1`;

// Every order with every filter is a prepared statement of its own: nothing is put together per request.
const pageStatements = byName(leadOrders, (sort) =>
  byName(['none', 'status', 'search', 'status-search'], (filter) =>
    statement<LeadPageRow, PageValues>({ name: `lead-page-${sort}-${filter}`, text: pageText(sort, filter) }),
  ),
);

function byName<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(sort: LeadOrder, filter: Filter): string {
  const key = sort.endsWith('name') ? 'search_text' : 'created_at';
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const byStatus = filter.startsWith('status') ? 'AND status = $4' : '';
  const term = filter === 'status-search' ? '$5' : '$4';
  // strpos() and not LIKE: it is quicker, and no character of the term is special.
  const bySearch = filter.endsWith('search')
    ? `AND strpos(search_text, (SELECT app.fold_text(${term}))) > 0`
    : '';
  const matches = `FROM leads WHERE organization_id = $1 AND deleted_at IS NULL ${byStatus} ${bySearch}`;
  const total = bySearch === '' ? countedTotal(byStatus) : searchedTotal({ matches, key, direction });
  return `
    WITH page AS MATERIALIZED (
      SELECT id, ${key} ${matches} ORDER BY ${key} ${direction}, id ${direction} LIMIT $2 OFFSET $3
    )
    SELECT (${total})::int AS total, lead.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (${leadOfPage}) AS lead) ON true
    ORDER BY page.${key} ${direction}, page.id ${direction}`;
}

/** The sum of changes that triggers keep: exact, and as quick for a million leads as for ten. */
function countedTotal(byStatus: string): string {
  return `SELECT coalesce(sum(change), 0) FROM lead_counts WHERE organization_id = $1 ${byStatus}`;
}

interface Search {
  readonly matches: string;
  readonly key: string;
  readonly direction: 'ASC' | 'DESC';
}

/** Counting goes on behind the page's last row, so that page and total cost one pass over the index together. */
function searchedTotal({ matches, key, direction }: Search): string {
  const behind = direction === 'DESC' ? '<' : '>';
  const reverse = direction === 'DESC' ? 'ASC' : 'DESC';
  const last = `SELECT ${key}, id FROM page ORDER BY ${key} ${reverse}, id ${reverse} LIMIT 1`;
  // The order keeps the planner on the index where one organization's leads fill the table.
  const count = (condition: string) =>
    `SELECT count(*) FROM (SELECT ${matches} ${condition} ORDER BY ${key} ${direction}, id ${direction}) AS matching`;
  return `CASE
      WHEN (SELECT count(*) FROM page) = $2 THEN $3 + $2 + (${count(`AND (${key}, id) ${behind} (${last})`)})
      WHEN $3 = 0 OR EXISTS (SELECT FROM page) THEN $3 + (SELECT count(*) FROM page)
      ELSE (${count('')})
    END`;
}
