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

// Every order, searched or not, is a prepared statement of its own: nothing is put together per request.
const pageStatements = Object.fromEntries(
  userOrders.map((sort) => [
    sort,
    {
      all: statement<UserPageRow, PageValues>({ name: `user-page-${sort}`, text: pageText(sort, '') }),
      found: statement<UserPageRow, PageValues>({
        name: `user-page-${sort}-search`,
        // strpos() and not LIKE: no character of the term is special.
        text: pageText(sort, 'AND strpos(search_text, (SELECT app.fold_text($4))) > 0'),
      }),
    },
  ]),
) as Record<UserOrder, Record<'all' | 'found', ReturnType<typeof statement<UserPageRow, PageValues>>>>;

/** One statement, so that page and total are of one moment. It reads ids from an index, and rows for the page alone. */
function pageText(sort: UserOrder, bySearch: string): string {
  const key = { name: 'search_text', email: 'email', createdAt: 'created_at' }[
    sort.replace('-', '') as 'name'
  ];
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const matches = `FROM profiles WHERE organization_id = $1 ${bySearch}`;
  return `
    WITH page AS MATERIALIZED (
      SELECT user_id, ${key} ${matches} ORDER BY ${key} ${direction}, user_id ${direction} LIMIT $2 OFFSET $3
    )
    SELECT (SELECT count(*) ${matches})::int AS total, profile.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (
      SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt"
      FROM profiles WHERE organization_id = $1 AND user_id = page.user_id LIMIT 1
    ) AS profile) ON true
    ORDER BY page.${key} ${direction}, page.user_id ${direction}`;
}
