import { foundIn, orderText, statement, totalText, type PageOrder } from '@tenantry/tenancy';
import { userOrders, type User, type UserListQuery, type UserOrder } from './user.ts';

/** A row of a page; a page beyond the end is one row that has a total and no user. */
export type UserPageRow = { readonly total: number } & (
  | (Omit<User, 'createdAt'> & { readonly createdAt: Date })
  | { readonly id: null }
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
        found: statement<UserPageRow, PageValues>({
          name: `user-page-${sort}-search`,
          text: pageText(order, { matches: found, total: totalText(order, { matches: found }) }),
        }),
      },
    ];
  }),
) as Record<UserOrder, Record<'all' | 'found', ReturnType<typeof statement<UserPageRow, PageValues>>>>;

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
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (
      SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt",
        disabled
      FROM profiles WHERE organization_id = $1 AND user_id = page.user_id LIMIT 1
    ) AS profile) ON true
    ORDER BY ${orderText(order, 'page.')}`;
}
