import { statement } from '@tenantry/tenancy';
import { leadOrders, type LeadListQuery, type LeadOrder, type ListedLead } from './lead.ts';
import {
  filterConditions,
  filterKinds,
  filterOf,
  type FilterKind,
  type FilterValue,
} from './lead-filters.repository.ts';

type Times = 'createdAt' | 'updatedAt';

/** A row of a page; a page beyond the end is one row that has a total and no lead. */
export type LeadPageRow = { readonly total: number } & (
  (Omit<ListedLead, Times> & Readonly<Record<Times, Date>>) | { readonly id: null }
);

type PageValues = [pageSize: number, offset: number, ...filter: FilterValue[]];

/** The statement and the values that answer a query. */
export function leadPage({ page, pageSize, sort, ...filters }: LeadListQuery) {
  const { kind, values } = filterOf(filters);
  const pageValues: PageValues = [pageSize, (page - 1) * pageSize, ...values];
  return { statement: pageStatements[sort][kind], values: pageValues };
}

/** What a list is sorted by, before the id. */
const sortColumns = {
  createdAt: ['created_at'],
  updatedAt: ['updated_at'],
  name: ['folded_name'],
  email: ['folded_email'],
  phone: ['phone'],
  status: ['status', 'created_at'],
  source: ['folded_source'],
} as const;

/** The filters whose columns an order's own index holds: a page in it is read in order, and no further than it goes. */
const inOrder: Readonly<Record<keyof typeof sortColumns, readonly FilterKind[]>> = {
  createdAt: filterKinds,
  name: ['none', 'status', 'statuses', 'search', 'matching'],
  ...{ updatedAt: ['none'], email: ['none'], phone: ['none'], status: ['none'], source: ['none'] },
};

/** One list: its order and its filter. */
interface List {
  readonly columns: readonly string[];
  readonly direction: 'ASC' | 'DESC';
  readonly kind: FilterKind;
  readonly isReadInOrder: boolean;
}

// LIMIT 1 keeps the planner from reading the whole table for what it takes for a large page.
const leadOfPage = `
  SELECT id, name, email, phone, status, source, version, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM leads WHERE organization_id = $1 AND id = page.id LIMIT 1`;

const sorting = ({ columns, direction }: List, source = ''): string =>
  [...columns, 'id'].map((column) => `${source}${column} ${direction}`).join(', ');

const matches = (kind: FilterKind): string =>
  `FROM leads WHERE organization_id = $1 AND deleted_at IS NULL ${filterConditions[kind]}`;

// Asking for an order that an index has keeps the planner on that index where one organization's leads fill the table.
// OFFSET 0 keeps it from sorting by another one, whose rows it would have to fetch for what they are filtered by.
const inOrderOfCreation = 'ORDER BY created_at, id OFFSET 0';

const total = (kind: FilterKind): string =>
  `SELECT count(*) FROM (SELECT ${matches(kind)} ${inOrderOfCreation}) AS matching`;

const reverse = { ASC: 'DESC', DESC: 'ASC' } as const;

// Every order with every filter is a prepared statement of its own: nothing is put together per request.
const pageStatements = byName(leadOrders, (order) =>
  byName(filterKinds, (kind) =>
    statement<LeadPageRow, PageValues>({
      name: `lead-page-${order}-${kind}`,
      text: pageText(listOf(order, kind)),
    }),
  ),
);

function byName<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

function listOf(order: LeadOrder, kind: FilterKind): List {
  const field = order.replace('-', '') as keyof typeof sortColumns;
  return {
    columns: sortColumns[field],
    direction: order.startsWith('-') ? 'DESC' : 'ASC',
    kind,
    isReadInOrder: inOrder[field].includes(kind),
  };
}

/** The order of a list, for a statement that reads all of it. */
export const orderByClause = (order: LeadOrder): string => sorting(listOf(order, 'none'));

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(list: List): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT id, ${list.columns.join(', ')} FROM (${candidates(list)}) AS candidates
      ORDER BY ${sorting(list)} LIMIT $2 OFFSET $3
    )
    SELECT (${totalText(list)})::int AS total, lead.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (${leadOfPage}) AS lead) ON true
    ORDER BY ${sorting(list, 'page.')}`;
}

/** The leads that a page is cut from. */
function candidates({ columns, kind, isReadInOrder }: List): string {
  return `SELECT id, ${columns.join(', ')} ${matches(kind)} ${isReadInOrder ? '' : inOrderOfCreation}`;
}

function totalText(list: List): string {
  const { kind, isReadInOrder } = list;
  const isCounted = kind === 'none' || kind === 'status' || kind === 'statuses';
  if (!isCounted) return isReadInOrder ? totalBehind(list) : total(kind);
  // The sum of changes that triggers keep: exact, and as quick for a million leads as for ten.
  return `SELECT coalesce(sum(change), 0) FROM lead_counts WHERE organization_id = $1 ${filterConditions[kind]}`;
}

/** Counting goes on behind the page's last row, so that page and total cost one pass over the index together. */
function totalBehind(list: List): string {
  const { columns, direction, kind } = list;
  const key = `${columns.join(', ')}, id`;
  const last = `SELECT ${key} FROM page ORDER BY ${sorting({ ...list, direction: reverse[direction] })} LIMIT 1`;
  const behind = `SELECT ${matches(kind)} AND (${key}) ${direction === 'DESC' ? '<' : '>'} (${last}) ORDER BY ${sorting(list)}`;
  return `CASE
      WHEN (SELECT count(*) FROM page) = $2 THEN $3 + $2 + (SELECT count(*) FROM (${behind}) AS matching)
      WHEN $3 = 0 OR EXISTS (SELECT FROM page) THEN $3 + (SELECT count(*) FROM page)
      ELSE (${total(kind)})
    END`;
}
