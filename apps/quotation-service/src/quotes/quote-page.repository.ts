import {
  everySubset,
  foldedAlike,
  foundIn,
  foundPageText,
  pageText,
  searchedText,
  totalText,
  type PageOrder,
} from '@tenantry/tenancy';
import { quoteOrders, type QuoteListQuery, type QuoteOrder } from './quote.ts';
import { statement, type Rows } from '../database.ts';
import type { Statements } from '../statements.types.ts';

/** What the index of a list holds beside its order, in the order of the parameters. */
const filters = ['status', 'customerId', 'search'] as const;
type Filter = (typeof filters)[number];

/** Answers a query. */
export function queryQuotePage(rows: Rows, { page, pageSize, sort, search = '', ...rest }: QuoteListQuery) {
  const given = { ...rest, ...(search.trim() !== '' && { search }) };
  const used = filters.filter((filter) => given[filter] !== undefined);
  const { scan, found } = statementsOf(sort, used);
  // Each statement takes the values of its filters, in their order.
  const inOrder = [pageSize, (page - 1) * pageSize, ...used.map((filter) => given[filter] ?? '')];
  const values = inOrder as unknown as Statements['quote-page']['values'];
  return found ? rows.search(found, search, values) : rows.query(scan, values);
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
const pageStatements = new Map(
  quoteOrders.flatMap((sort) =>
    everySubset(filters).map((used) => [nameOf(sort, used), defineStatements(sort, used)] as const),
  ),
);

function statementsOf(sort: QuoteOrder, used: readonly Filter[]) {
  const statements = pageStatements.get(nameOf(sort, used));
  if (!statements) throw new Error(`there is no order ${sort}`);
  return statements;
}

function defineStatements(sort: QuoteOrder, used: readonly Filter[]) {
  const name = nameOf(sort, used);
  const like = 'quote-page';
  const order = orderOf(sort);
  const list = { matches: matchesOf(used), item: quoteOfPage };
  const isKept = !used.includes('search') && !used.includes('customerId');
  const total = isKept ? keptTotal(used) : totalText(order, list);
  const scan = statement({ name, like, text: pageText(order, { ...list, total }) });
  if (!used.includes('search')) return { scan };
  const text = foundPageText(order, list);
  const indexed = statement({ name: `${name}-indexed`, like, text });
  return { scan, found: { text: quoteText, scan, indexed } };
}

function matchesOf(used: readonly Filter[]): string {
  const conditions = used.map((filter, i) => conditionOf(filter, `$${i + 4}`)).join(' ');
  return `FROM quotes WHERE organization_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL ${conditions}`;
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
