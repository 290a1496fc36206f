import { statement } from '@tenantry/tenancy';
import { userOrders, type User, type UserListQuery, type UserOrder } from './user.ts';

/** A row of a page; a page beyond the end is one row that has a total and no user. */
export type UserPageRow = { readonly total: number } & (
  (Omit<User, 'createdAt'> & { readonly createdAt: Date }) | { readonly id: null }
);

type PageValues = [pageSize: number, offset: number, ...search: string[]];

/** The statement and the values that answer a query. */
export function userPage({ page, pageSize, sort, search = '' }: UserListQuery) {
  const term = search.trim();
  const values: PageValues = [pageSize, (page - 1) * pageSize];
  if (term !== '') values.push(term);
  return { statement: pageStatements[sort][term === '' ? 'all' : 'found'], values };
}

const everybody = 'FROM profiles WHERE organization_id = $1';
// strpos() and not LIKE: no character of the term is special.
const found = `${everybody} AND strpos(search_text, (SELECT app.fold_text($4))) > 0`;

// Every order, searched or not, is a prepared statement of its own: nothing is put together per request.
const pageStatements = Object.fromEntries(
  userOrders.map((sort) => [
    sort,
    {
      all: statement<UserPageRow, PageValues>({
        name: `user-page-${sort}`,
        text: pageText({
          ...orderOf(sort),
          matches: everybody,
          // Kept by triggers: exact, and as quick for a million users as for ten.
          total: 'coalesce((SELECT profiles FROM profile_counts WHERE organization_id = $1), 0)',
        }),
      }),
      found: statement<UserPageRow, PageValues>({
        name: `user-page-${sort}-search`,
        text: pageText({ ...orderOf(sort), matches: found, total: totalBehind(orderOf(sort)) }),
      }),
    },
  ]),
) as Record<UserOrder, Record<'all' | 'found', ReturnType<typeof statement<UserPageRow, PageValues>>>>;

interface Order {
  /** The column before the id, which makes the order total. */
  readonly key: string;
  readonly direction: 'ASC' | 'DESC';
}

function orderOf(sort: UserOrder): Order {
  const columns = { name: 'search_text', email: 'email', createdAt: 'created_at' } as const;
  return {
    key: columns[sort.replace('-', '') as keyof typeof columns],
    direction: sort.startsWith('-') ? 'DESC' : 'ASC',
  };
}

interface PageParts extends Order {
  readonly matches: string;
  readonly total: string;
}

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText({ key, direction, matches, total }: PageParts): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT user_id, ${key} ${matches} ORDER BY ${key} ${direction}, user_id ${direction} LIMIT $2 OFFSET $3
    )
    SELECT (${total})::int AS total, profile.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (
      SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt",
        disabled
      FROM profiles WHERE organization_id = $1 AND user_id = page.user_id LIMIT 1
    ) AS profile) ON true
    ORDER BY page.${key} ${direction}, page.user_id ${direction}`;
}

/** Counting goes on behind the page's last row, so that page and total cost one pass over the index together. */
function totalBehind({ key, direction }: Order): string {
  const reverse = direction === 'ASC' ? 'DESC' : 'ASC';
  const last = `SELECT ${key}, user_id FROM page ORDER BY ${key} ${reverse}, user_id ${reverse} LIMIT 1`;
  // The order keeps the planner on the index where one organization's users fill the table.
  const count = (condition: string) =>
    `SELECT count(*) FROM (
       SELECT ${found} ${condition} ORDER BY ${key} ${direction}, user_id ${direction}) AS matching`;
  return `CASE
      WHEN (SELECT count(*) FROM page) = $2
        THEN $3 + $2 + (${count(`AND (${key}, user_id) ${direction === 'DESC' ? '<' : '>'} (${last})`)})
      WHEN $3 = 0 OR EXISTS (SELECT FROM page) THEN $3 + (SELECT count(*) FROM page)
      ELSE (${count('')})
    END`;
}
