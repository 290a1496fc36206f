import {
  everySubset,
  foundIn,
  orderText,
  statement,
  totalText,
  type PageOrder,
  type Statement,
} from '@tenantry/tenancy';
import { quoteOrders, type QuoteListItem, type QuoteListQuery, type QuoteOrder } from './quote.ts';

/** A row of a page; a page beyond the end is one row that has a total and no quote. */
export type QuotePageRow = { readonly total: number } & (
  | (Omit<QuoteListItem, 'createdAt' | 'validUntil'> & {
      readonly createdAt: Date;
      readonly validUntil: Date;
    })
  | { readonly id: null }
);

type PageValues = [pageSize: number, offset: number, ...filters: string[]];
type PageStatement = Statement<QuotePageRow, PageValues>;

/** What the index of a list holds beside its order, in the order of the parameters. */
const filters = ['status', 'customerId', 'search'] as const;
type Filter = (typeof filters)[number];

/** The statement and the values that answer a query. */
export function quotePage({ page, pageSize, sort, search = '', ...rest }: QuoteListQuery) {
  const given = { ...rest, ...(search.trim() !== '' && { search }) };
  const used = filters.filter((filter) => given[filter] !== undefined);
  const values: PageValues = [pageSize, (page - 1) * pageSize, ...used.map((filter) => given[filter] ?? '')];
  return { statement: pageStatements.get(nameOf(sort, used)) as PageStatement, values };
}

const nameOf = (sort: QuoteOrder, used: readonly Filter[]) => ['quote-page', sort, ...used].join('-');

// LIMIT 1 keeps the planner from reading the whole table for what it takes for a large page.
const quoteOfPage = `
  SELECT id, number, customer_id AS "customerId", customer_name AS "customerName", title,
    total_amount::float8 AS "totalAmount", currency, status, valid_until AS "validUntil", created_at AS "createdAt"
  FROM quotes WHERE organization_id = $1 AND id = page.id LIMIT 1`;

const keysOf = {
  createdAt: ['created_at'],
  number: ['number_year', 'number_sequence'],
  validUntil: ['valid_until'],
} as const;

// Every order with every filter is a prepared statement of its own: nothing is put together per request.
const pageStatements: ReadonlyMap<string, PageStatement> = new Map(
  quoteOrders.flatMap((sort) =>
    everySubset(filters).map((used) => {
      const name = nameOf(sort, used);
      return [name, statement<QuotePageRow, PageValues>({ name, text: pageText(sort, used) })] as const;
    }),
  ),
);

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(sort: QuoteOrder, used: readonly Filter[]): string {
  const order = orderOf(sort);
  const conditions = used.map((filter, i) => conditionOf(filter, `$${i + 4}`)).join(' ');
  const matches = `FROM quotes WHERE organization_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL ${conditions}`;
  const isKept = !used.includes('search') && !used.includes('customerId');
  const total = isKept ? keptTotal(used) : totalText(order, { matches });
  return `
    WITH page AS MATERIALIZED (
      SELECT ${order.columns.join(', ')} ${matches} ORDER BY ${orderText(order)} LIMIT $2 OFFSET $3
    )
    SELECT (${total})::int AS total, quote.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (${quoteOfPage}) AS quote) ON true
    ORDER BY ${orderText(order, 'page.')}`;
}

function conditionOf(filter: Filter, parameter: string): string {
  if (filter === 'status') return `AND status = ${parameter}`;
  if (filter === 'customerId') return `AND customer_id = ${parameter}`;
  return `AND ${foundIn('search_text', `(SELECT app.fold_text(${parameter}))`)}`;
}

function orderOf(sort: QuoteOrder): PageOrder {
  return {
    columns: [...keysOf[sort.replace('-', '') as keyof typeof keysOf], 'id'],
    direction: sort.startsWith('-') ? 'DESC' : 'ASC',
  };
}

/** The sum of changes that triggers keep: exact, and as quick for a million quotes as for ten. */
function keptTotal(used: readonly Filter[]): string {
  const byStatus = used.includes('status') ? 'AND status = $4' : '';
  return `SELECT coalesce(sum(quotes), 0) FROM quote_counts WHERE organization_id = $1 ${byStatus}`;
}
