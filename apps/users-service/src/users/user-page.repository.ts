import {
  foldedAlike,
  foundIn,
  foundPageText,
  pageText,
  searchedText,
  statementFamily,
  totalText,
  type PageOrder,
} from '@tenantry/tenancy';
import { userOrders, type UserListQuery, type UserOrder } from './user.ts';
import { statement, type Rows } from '../database.ts';

/** Runs a query. */
export function queryUserPage(rows: Rows, { page, pageSize, sort, search = '' }: UserListQuery) {
  const term = search.trim();
  const { all, found } = pageStatements[sort];
  const range = [pageSize, (page - 1) * pageSize] as const;
  return term === '' ? rows.query(all, range) : rows.search(found, term, [...range, term]);
}

/** The searched text; a search for fewer than three letters in a row reads all of it. */
const userText = searchedText({
  project: 'users-service',
  name: 'user-search-sample',
  table: 'profiles',
  text: foldedAlike('search_text'),
  orderedBy: 'created_at',
});

const everybody = 'FROM profiles WHERE organization_id = $1';
// LIMIT 1 keeps the planner from reading the whole table because it expects a large page.
const userOfPage = `
  SELECT user_id AS id, email, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt", disabled, role
  FROM profiles WHERE organization_id = $1 AND user_id = page.user_id LIMIT 1`;

const found = `${everybody} AND ${foundIn('search_text', '$4')}`;

// Every order, searched or not, is a prepared statement of its own: no SQL is assembled per request.
const pageStatements = statementFamily(userOrders, statementsInOrder);

function statementsInOrder(sort: UserOrder) {
  const order = orderOf(sort);
  return {
    all: statement({
      name: `user-page-${sort}`,
      like: 'user-page',
      text: pageText(order, {
        matches: everybody,
        // Kept by triggers: exact, and as quick for a million users as for ten.
        total: 'coalesce((SELECT profiles FROM profile_counts WHERE organization_id = $1), 0)',
        item: userOfPage,
      }),
    }),
    found: {
      text: userText,
      scan: statement({
        name: `user-page-${sort}-search`,
        like: 'user-page-search',
        text: pageText(order, {
          matches: found,
          total: totalText(order, { matches: found }),
          item: userOfPage,
        }),
      }),
      indexed: statement({
        name: `user-page-${sort}-search-indexed`,
        like: 'user-page-search',
        text: foundPageText(order, { matches: found, item: userOfPage }),
      }),
    },
  };
}

function orderOf(sort: UserOrder): PageOrder {
  const columns = { name: 'search_text', email: 'email', createdAt: 'created_at' } as const;
  return {
    columns: [columns[sort.replace('-', '') as keyof typeof columns], 'user_id'],
    direction: sort.startsWith('-') ? 'DESC' : 'ASC',
  };
}
