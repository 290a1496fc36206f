import type { TenantPool } from '../pool.ts';
import { readable, valuesOf } from '../protocol/query.ts';
import { queryOf } from '../queries.ts';
import { bindingOf, type OrganizationScope } from '../scope.ts';
import { searching } from '../search/search-role.ts';
import type { Search } from '../search/searched-text.ts';

/** What a search answers in either form, whichever it would choose. */
export interface SearchForms<Row> {
  readonly scan: Row[];
  /** Undefined for a term that no index finds. */
  readonly indexed: Row[] | undefined;
}

/** Runs a search in both forms, which must answer the same. */
export async function searchForms<Row, Values extends readonly unknown[]>(
  pool: TenantPool,
  { scope, search, term, values }: SearchAsked<Row, Values>,
): Promise<SearchForms<Row>> {
  const binding = bindingOf(scope);
  const { rows: scan } = await pool.run(binding, queryOf(scope, search.scan, values));
  const text = 'SELECT app.search_pattern($1) IS NOT NULL AS "isIndexed"';
  const { rows } = await pool.run(binding, { text, values: valuesOf([term]) });
  const [indexing] = rows as { isIndexed: boolean }[];
  if (!indexing?.isIndexed) return { scan: scan as Row[], indexed: undefined };
  const answers = await pool.runAll(binding, [searching(term), queryOf(scope, search.indexed, values)]);
  return { scan: scan as Row[], indexed: readable(answers.at(-1)).rows as Row[] };
}

/** What {@link searchForms} runs. */
export interface SearchAsked<Row, Values extends readonly unknown[]> {
  readonly scope: OrganizationScope;
  readonly search: Search<Row, Values>;
  readonly term: string;
  readonly values: Values;
}
