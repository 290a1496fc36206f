import type { TenantPool } from '../pool.ts';
import { readable, valuesOf } from '../protocol/query.ts';
import { queryOf } from '../scoped-rows.ts';
import { bindingOf, type OrganizationScope } from '../scope.ts';
import { searching } from '../search/search-role.ts';
import type { Search } from '../search/searched-text.ts';

/**
 * Runs a search in both forms, which must answer the same; `indexed` is undefined for a term that no index finds.
 */
export async function searchForms<Row, Values extends readonly unknown[]>(
  pool: TenantPool,
  {
    scope,
    search,
    term,
    values,
  }: { scope: OrganizationScope; search: Search<Row, Values>; term: string; values: Values },
): Promise<{ scan: Row[]; indexed: Row[] | undefined }> {
  const binding = bindingOf(scope);
  const { rows: scan } = await pool.ask(binding, queryOf(scope, search.scan, values));
  const text = 'SELECT app.search_pattern($1) IS NOT NULL AS "isIndexed"';
  const { rows } = await pool.ask(binding, { text, values: valuesOf([term]) });
  const [indexing] = rows as { isIndexed: boolean }[];
  if (!indexing?.isIndexed) return { scan: scan as Row[], indexed: undefined };
  const answers = await pool.run(binding, [searching(term), queryOf(scope, search.indexed, values)]);
  return { scan: scan as Row[], indexed: readable(answers.at(-1)).rows as Row[] };
}
