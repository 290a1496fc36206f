import { statement, type Statement } from '@tenantry/tenancy';
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

function everySubset<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  const without = everySubset(rest);
  return [...without, ...without.map((some) => [first, ...some])];
}

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(sort: QuoteOrder, used: readonly Filter[]): string {
  const order = orderOf(sort);
  const conditions = used.map((filter, i) => conditionOf(filter, `$${i + 4}`)).join(' ');
  const matches = `FROM quotes WHERE organization_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL ${conditions}`;
  return `
    WITH page AS MATERIALIZED (
      SELECT id, ${order.keys.join(', ')} ${matches} ORDER BY ${order.by('')} LIMIT $2 OFFSET $3
    )
    SELECT (${totalText({ order, used, matches })})::int AS total, quote.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (${quoteOfPage}) AS quote) ON true
    ORDER BY ${order.by('page.')}`;
}

function conditionOf(filter: Filter, parameter: string): string {
  if (filter === 'status') return `AND status = ${parameter}`;
  if (filter === 'customerId') return `AND customer_id = ${parameter}`;
  // strpos() and not LIKE: it is quicker, and no character of the term is special.
  return `AND strpos(search_text, (SELECT app.fold_text(${parameter}))) > 0`;
}

interface Order {
  /** Columns, without the id that makes the order total. */
  readonly keys: readonly string[];
  readonly isDescending: boolean;
  /** The ORDER BY, with a prefix before each column. */
  readonly by: (prefix: string) => string;
}

function orderOf(sort: QuoteOrder): Order {
  const keys = keysOf[sort.replace('-', '') as keyof typeof keysOf];
  const isDescending = sort.startsWith('-');
  return { keys, isDescending, by: (prefix) => byColumns({ keys, isDescending }, prefix) };
}

function byColumns({ keys, isDescending }: Omit<Order, 'by'>, prefix: string): string {
  return [...keys, 'id'].map((key) => `${prefix}${key} ${isDescending ? 'DESC' : 'ASC'}`).join(', ');
}

interface Counted {
  readonly order: Order;
  readonly used: readonly Filter[];
  readonly matches: string;
}

function totalText({ order, used, matches }: Counted): string {
  if (!used.includes('search') && !used.includes('customerId')) {
    // The sum of changes that triggers keep: exact, and as quick for a million quotes as for ten.
    const byStatus = used.includes('status') ? 'AND status = $4' : '';
    return `SELECT coalesce(sum(quotes), 0) FROM quote_counts WHERE organization_id = $1 ${byStatus}`;
  }
  // Counting goes on behind the page's last row, so that page and total cost one pass over the index together.
  const columns = [...order.keys, 'id'].join(', ');
  const reversed = byColumns({ ...order, isDescending: !order.isDescending }, '');
  const last = `SELECT ${columns} FROM page ORDER BY ${reversed} LIMIT 1`;
  // The order keeps the planner on the index where one organization's quotes fill the table.
  const count = (condition: string) =>
    `SELECT count(*) FROM (SELECT ${matches} ${condition} ORDER BY ${order.by('')}) AS matching`;
  return `CASE
      WHEN (SELECT count(*) FROM page) = $2
        THEN $3 + $2 + (${count(`AND (${columns}) ${order.isDescending ? '<' : '>'} (${last})`)})
      WHEN $3 = 0 OR EXISTS (SELECT FROM page) THEN $3 + (SELECT count(*) FROM page)
      ELSE (${count('')})
    END`;
}
