import { foundPageText, pageText, statementFamily, totalText, type PageOrder } from '@tenantry/tenancy';
import { quoteOrders, type QuoteListQuery, type QuoteOrder } from './quote.ts';
import {
  filterConditions,
  filterKinds,
  filterOf,
  quoteText,
  searchKinds,
  type FilterKind,
  type SearchKind,
} from './quote-filters.repository.ts';
import { statement, type Rows } from '../database.ts';

/** Runs a query. */
export function queryQuotePage(rows: Rows, { page, pageSize, sort, ...filters }: QuoteListQuery) {
  const search = filters.search?.trim() ?? '';
  const { kind, values } = filterOf({ ...filters, search });
  const bound = [pageSize, (page - 1) * pageSize, ...values] as const;
  return search !== '' && holdsTerm(kind)
    ? rows.search(searches[sort][kind], search, bound)
    : rows.query(pageStatements[sort][kind], bound);
}

const holdsTerm = (kind: FilterKind): kind is SearchKind => searchKinds.some((each) => each === kind);

/** What a list is sorted by, before the id. */
const sortColumns = {
  createdAt: ['created_at'],
  number: ['number_year', 'number_sequence'],
  validUntil: ['valid_until'],
  totalAmount: ['total_amount'],
  customerName: ['folded_customer'],
  updatedAt: ['updated_at'],
  sentAt: ['sent'],
} as const;

/** Columns that the table does not have by that name: each index of an order holds the expression. */
const expressions: Readonly<Record<string, string>> = {
  folded_customer: 'app.fold_text(customer_name)',
  // Drafts come last in descending order.
  sent: `coalesce(sent_at, '-infinity')`,
};

const counted = ['none', 'status', 'statuses'] as const satisfies readonly FilterKind[];
const searched = [...counted, 'search', 'matching'] as const satisfies readonly FilterKind[];

/** The filters whose columns an order's own index holds: a page in it is read in order, and no further than it goes. */
const inOrder: Readonly<Record<keyof typeof sortColumns, readonly FilterKind[]>> = {
  createdAt: [...searched, 'customer'],
  number: searched,
  validUntil: [...searched, 'dated'],
  totalAmount: counted,
  customerName: counted,
  updatedAt: counted,
  sentAt: counted,
};

/** One list: its order and its filter. */
interface List extends PageOrder {
  readonly kind: FilterKind;
  readonly isReadInOrder: boolean;
}

// LIMIT 1 keeps the planner from reading the whole table because it expects a large page.
const quoteOfPage = `
  SELECT id, number, revision, customer_id AS "customerId", customer_name AS "customerName", title,
    total_amount::float8 AS "totalAmount", currency, status, valid_until AS "validUntil", version, sent_at AS "sentAt",
    created_at AS "createdAt", updated_at AS "updatedAt"
  FROM quotes WHERE organization_id = $1 AND id = page.id LIMIT 1`;

const matches = (kind: FilterKind): string =>
  `FROM quotes WHERE organization_id = $1 AND deleted_at IS NULL AND superseded_by IS NULL ${filterConditions[kind]}`;

// An ORDER BY that matches an index keeps the planner on it if one organization's quotes fill the table. OFFSET 0 keeps it from
// using another index whose rows it would have to fetch for the filter.
const inOrderOfAnIndex = (kind: FilterKind): string =>
  `ORDER BY ${kind === 'dated' ? 'valid_until' : 'created_at'}, id OFFSET 0`;

// Every order with every filter is a prepared statement of its own: no SQL is assembled per request.
const pageStatements = statementFamily(quoteOrders, (order) =>
  statementFamily(filterKinds, (kind) =>
    statement({
      name: `quote-page-${order}-${kind}`,
      like: 'quote-page',
      text: textOf(listOf(order, kind)),
    }),
  ),
);

const searches = statementFamily(quoteOrders, (order) =>
  statementFamily(searchKinds, (kind) => ({
    text: quoteText,
    scan: pageStatements[order][kind],
    indexed: statement({
      name: `quote-page-${order}-${kind}-indexed`,
      like: 'quote-page',
      text: indexedTextOf(listOf(order, kind)),
    }),
  })),
);

function listOf(order: QuoteOrder, kind: FilterKind): List {
  const field = order.replace('-', '') as keyof typeof sortColumns;
  return {
    columns: [...sortColumns[field], 'id'],
    direction: order.startsWith('-') ? 'DESC' : 'ASC',
    kind,
    isReadInOrder: inOrder[field].includes(kind),
  };
}

function textOf(list: List): string {
  const { kind, isReadInOrder } = list;
  const candidates = `${keysOf(list)} ${matches(kind)} ${isReadInOrder ? '' : inOrderOfAnIndex(kind)}`;
  return pageText(list, {
    matches: `FROM (${candidates}) AS candidates`,
    total: totalOf(list),
    item: quoteOfPage,
  });
}

function indexedTextOf(list: List): string {
  const candidates = `${keysOf(list)} ${matches(list.kind)}`;
  return foundPageText(list, { matches: `FROM (${candidates}) AS candidates`, item: quoteOfPage });
}

/** The sort expressions of a page. */
function keysOf({ columns }: List): string {
  const keys = columns.map((column) => {
    const expression = expressions[column];
    return expression === undefined ? column : `${expression} AS ${column}`;
  });
  return `SELECT ${keys.join(', ')}`;
}

function totalOf(list: List): string {
  const { kind, isReadInOrder } = list;
  if (counted.some((each) => each === kind)) {
    // The sum of changes that triggers keep: exact, and as quick for a million quotes as for ten.
    return `SELECT coalesce(sum(quotes), 0) FROM quote_counts WHERE organization_id = $1 ${filterConditions[kind]}`;
  }
  const all = `SELECT count(*) FROM (SELECT ${matches(kind)} ${inOrderOfAnIndex(kind)}) AS matching`;
  return isReadInOrder ? totalText(list, { matches: matches(kind), all }) : all;
}
