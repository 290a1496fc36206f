import {
  foundPageText,
  orderText,
  pageText,
  statementFamily,
  totalText,
  type PageOrder,
} from '@tenantry/tenancy';
import { leadOrders, type LeadListQuery, type LeadOrder } from './lead.ts';
import {
  everyFilterValue,
  filterConditions,
  filterKinds,
  filterOf,
  leadText,
  searchKinds,
  type FilterKind,
  type SearchKind,
} from './lead-filters.repository.ts';
import { leadTexts } from './lead-texts.ts';
import { statement, type Rows } from '../database.ts';

/** Runs a query. */
export function queryLeadPage(rows: Rows, { page, pageSize, sort, deleted, ...filters }: LeadListQuery) {
  const offset = (page - 1) * pageSize;
  if (deleted) return rows.query(deletedStatements[sort], [pageSize, offset, ...everyFilterValue(filters)]);
  const { kind, values } = filterOf(filters);
  const { search = '' } = filters;
  if (search !== '' && holdsTerm(kind))
    return rows.search(searches[sort][kind], search, [pageSize, offset, ...values]);
  return rows.query(pageStatements[sort][kind], [pageSize, offset, ...values]);
}

const holdsTerm = (kind: FilterKind): kind is SearchKind => searchKinds.some((each) => each === kind);

/** The sort column of a list, before the id. */
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
  updatedAt: ['none'],
  email: ['none'],
  phone: ['none'],
  status: ['none'],
  source: ['none'],
};

/** One list: its order and its filter. */
interface List extends PageOrder {
  readonly kind: FilterKind;
  readonly isReadInOrder: boolean;
  /** Of the deleted leads. */
  readonly isDeleted: boolean;
}

const listedTexts = leadTexts.filter((name) => name !== 'notes');

// LIMIT 1 keeps the planner from reading the whole table because it expects a large page.
const leadOfPage = `
  SELECT id, ${listedTexts.join(', ')}, status, version, created_at AS "createdAt", updated_at AS "updatedAt",
    deleted_at AS "deletedAt"
  FROM leads WHERE organization_id = $1 AND id = page.id LIMIT 1`;

const matches = ({ kind, isDeleted }: Pick<List, 'kind' | 'isDeleted'>): string =>
  `FROM leads WHERE organization_id = $1 AND deleted_at IS ${isDeleted ? 'NOT NULL' : 'NULL'} ${filterConditions[kind]}`;

// An ORDER BY that matches an index keeps the planner on it if one organization's leads fill the table. OFFSET 0 keeps it from
// using another index whose rows it would have to fetch for the filter.
const inOrderOfCreation = 'ORDER BY created_at, id OFFSET 0';

const total = (list: Pick<List, 'kind' | 'isDeleted'>): string =>
  `SELECT count(*) FROM (SELECT ${matches(list)} ${inOrderOfCreation}) AS matching`;

// Every order with every filter is a prepared statement of its own: no SQL is assembled per request.
const pageStatements = statementFamily(leadOrders, (order) =>
  statementFamily(filterKinds, (kind) =>
    statement({
      name: `lead-page-${order}-${kind}`,
      like: 'lead-page',
      text: textOf(listOf(order, kind)),
    }),
  ),
);

const searches = statementFamily(leadOrders, (order) =>
  statementFamily(searchKinds, (kind) => ({
    text: leadText,
    scan: pageStatements[order][kind],
    indexed: statement({
      name: `lead-page-${order}-${kind}-indexed`,
      like: 'lead-page',
      text: foundPageText(listOf(order, kind), {
        matches: matches({ kind, isDeleted: false }),
        item: leadOfPage,
      }),
    }),
  })),
);

const deletedStatements = statementFamily(leadOrders, (order) =>
  statement({
    name: `lead-page-deleted-${order}`,
    like: 'lead-page-deleted',
    text: textOf({ ...listOf(order, 'dated'), isDeleted: true, isReadInOrder: false }),
  }),
);

function listOf(order: LeadOrder, kind: FilterKind): List {
  const field = order.replace('-', '') as keyof typeof sortColumns;
  return {
    columns: [...sortColumns[field], 'id'],
    direction: order.startsWith('-') ? 'DESC' : 'ASC',
    kind,
    isReadInOrder: inOrder[field].includes(kind),
    isDeleted: false,
  };
}

/** The order of a list, for a statement that reads all of it. */
export const orderByClause = (order: LeadOrder): string => orderText(listOf(order, 'none'));

function textOf(list: List): string {
  return pageText(list, {
    matches: `FROM (${candidates(list)}) AS candidates`,
    total: totalOf(list),
    item: leadOfPage,
  });
}

/** The leads that a page is cut from. */
function candidates(list: List): string {
  return `SELECT ${list.columns.join(', ')} ${matches(list)} ${list.isReadInOrder ? '' : inOrderOfCreation}`;
}

function totalOf(list: List): string {
  const { kind, isReadInOrder } = list;
  const isCounted = kind === 'none' || kind === 'status' || kind === 'statuses';
  if (isCounted) {
    // The sum of changes that triggers keep: exact, and as quick for a million leads as for ten.
    return `SELECT coalesce(sum(change), 0) FROM lead_counts WHERE organization_id = $1 ${filterConditions[kind]}`;
  }
  return isReadInOrder ? totalText(list, { matches: matches(list), all: total(list) }) : total(list);
}
