import {
  everySubset,
  foldedAlike,
  foundIn,
  foundPageText,
  orderText,
  searchedText,
  statement,
  totalText,
  type PageOrder,
  type Search,
  type Statement,
} from '@tenantry/tenancy';
import type { Rows } from '../database.ts';
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
type PageStatement = Statement<QuotePageRow, PageValues, 'organization'>;

/** What the index of a list holds beside its order, in the order of the parameters. */
const filters = ['status', 'customerId', 'search'] as const;
type Filter = (typeof filters)[number];

/** Answers a query. */
export function queryQuotePage(
  rows: Rows,
  { page, pageSize, sort, search = '', ...rest }: QuoteListQuery,
): Promise<QuotePageRow[]> {
  const given = { ...rest, ...(search.trim() !== '' && { search }) };
  const used = filters.filter((filter) => given[filter] !== undefined);
  const values: PageValues = [pageSize, (page - 1) * pageSize, ...used.map((filter) => given[filter] ?? '')];
  const name = nameOf(sort, used);
  const found = searches.get(name);
  return found
    ? rows.search(found, search, values)
    : rows.query(pageStatements.get(name) as PageStatement, values);
}

/** What searches look in; a search for less than three letters in a row reads all of it. */
const quoteText = searchedText({
  name: 'quote-search-sample',
  table: 'quotes',
  text: foldedAlike('search_text'),
  where: 'deleted_at IS NULL AND superseded_by IS NULL',
  orderedBy: 'created_at',
});

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

const searches: ReadonlyMap<string, Search<QuotePageRow, PageValues>> = new Map(
  quoteOrders.flatMap((sort) =>
    everySubset(filters)
      .filter((used) => used.includes('search'))
      .map((used) => {
        const name = nameOf(sort, used);
        const text = foundPageText(orderOf(sort), { matches: matchesOf(used), item: quoteOfPage });
        const indexed = statement<QuotePageRow, PageValues>({ name: `${name}-indexed`, text });
        const scan = pageStatements.get(name) as PageStatement;
        return [name, { text: quoteText, scan, indexed }] as const;
      }),
  ),
);

function matchesOf(used: readonly Filter[]): string {
  const conditions = used.map((filter, i) => conditionOf(filter, `$${i + 4}`)).join(' ');
  return `FROM quotes WHERE organization_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL ${conditions}`;
}

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(sort: QuoteOrder, used: readonly Filter[]): string {
  const order = orderOf(sort);
  const matches = matchesOf(used);
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
