import {
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
import { userOrders, type User, type UserListQuery, type UserOrder } from './user.ts';

/** A row of a page; a page beyond the end is one row that has a total and no user. */
export type UserPageRow = { readonly total: number } & (
  | (Omit<User, 'createdAt'> & { readonly createdAt: Date })
  | { readonly id: null }
);

type PageValues = [pageSize: number, offset: number, ...search: string[]];

/** Answers a query. */
export function queryUserPage(
  rows: Rows,
  { page, pageSize, sort, search = '' }: UserListQuery,
): Promise<UserPageRow[]> {
  const term = search.trim();
  const { all, found } = pageStatements[sort];
  const place: PageValues = [pageSize, (page - 1) * pageSize];
  return term === '' ? rows.query(all, place) : rows.search(found, term, [...place, term]);
}

/** What searches look in; a search for less than three letters in a row reads all of it. */
const userText = searchedText({
  name: 'user-search-sample',
  table: 'profiles',
  text: foldedAlike('search_text'),
  orderedBy: 'created_at',
});

const everybody = 'FROM profiles WHERE organization_id = $1';
// LIMIT 1 keeps the planner from reading the whole table for what it takes for a large page.
const userOfPage = `
  SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt", disabled
  FROM profiles WHERE organization_id = $1 AND user_id = page.user_id LIMIT 1`;

const found = `${everybody} AND ${foundIn('search_text', '(SELECT app.fold_text($4))')}`;

// Every order, searched or not, is a prepared statement of its own: nothing is put together per request.
const pageStatements = Object.fromEntries(
  userOrders.map((sort) => {
    const order = orderOf(sort);
    return [
      sort,
      {
        all: statement<UserPageRow, PageValues>({
          name: `user-page-${sort}`,
          text: pageText(order, {
            matches: everybody,
            // Kept by triggers: exact, and as quick for a million users as for ten.
            total: 'coalesce((SELECT profiles FROM profile_counts WHERE organization_id = $1), 0)',
          }),
        }),
        found: {
          text: userText,
          scan: statement<UserPageRow, PageValues>({
            name: `user-page-${sort}-search`,
            text: pageText(order, { matches: found, total: totalText(order, { matches: found }) }),
          }),
          indexed: statement<UserPageRow, PageValues>({
            name: `user-page-${sort}-search-indexed`,
            text: foundPageText(order, { matches: found, item: userOfPage }),
          }),
        },
      },
    ];
  }),
) as Record<UserOrder, UserPageStatements>;

interface UserPageStatements {
  readonly all: Statement<UserPageRow, PageValues, 'organization'>;
  readonly found: Search<UserPageRow, PageValues>;
}

function orderOf(sort: UserOrder): PageOrder {
  const columns = { name: 'search_text', email: 'email', createdAt: 'created_at' } as const;
  return {
    columns: [columns[sort.replace('-', '') as keyof typeof columns], 'user_id'],
    direction: sort.startsWith('-') ? 'DESC' : 'ASC',
  };
}

interface PageParts {
  readonly matches: string;
  readonly total: string;
}

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(order: PageOrder, { matches, total }: PageParts): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT ${order.columns.join(', ')} ${matches} ORDER BY ${orderText(order)} LIMIT $2 OFFSET $3
    )
    SELECT (${total})::int AS total, profile.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (${userOfPage}) AS profile) ON true
    ORDER BY ${orderText(order, 'page.')}`;
}
