import { everySubset, idsWithin, type Period } from './filters.ts';
import { pageOf, type Page, type PageRequest, type PageRow } from './pages.ts';
import type { Statement, StatementOwner } from './statement.ts';
import { statementFamily } from './statement-families.ts';

/** A page of a list, and its filters. */
export type FilteredQuery<Filter extends string> = Period &
  PageRequest & { readonly [Name in Filter]?: string };

/** A list with filters, newest first: a statement for each choice of them lets PostgreSQL plan for what is asked. */
export class FilteredPages<
  Filter extends string,
  Row extends PageRow,
  Values extends readonly unknown[],
  Owner extends StatementOwner,
> {
  readonly #filters: readonly Filter[];
  readonly #statements: Readonly<Record<string, Statement<Row, Values, Owner>>>;

  /**
   * @param pageBy gives the statement of some of the filters. It takes limit, offset, the ids between which the rows of the
   *   period lie, and a value for each filter, in their order
   */
  constructor(
    filters: readonly Filter[],
    pageBy: (some: readonly Filter[]) => Statement<Row, Values, Owner>,
  ) {
    this.#filters = filters;
    const choices = new Map(everySubset(filters).map((some) => [some.join(), some]));
    this.#statements = statementFamily([...choices.keys()], (key) => pageBy(choices.get(key) ?? []));
  }

  async read(
    rows: { query(statement: Statement<Row, Values, Owner>, values: Values): Promise<Row[]> },
    query: FilteredQuery<Filter>,
  ): Promise<Page<Extract<Row, { readonly id: string }>>> {
    const { page, pageSize } = query;
    const named = this.#filters.filter((name) => query[name] !== undefined);
    const statement = this.#statements[named.join()];
    if (!statement) throw new Error(`there is no page by ${named.join()}`);
    const values: readonly unknown[] = [
      pageSize,
      (page - 1) * pageSize,
      ...idsWithin(query),
      ...named.map((name) => query[name]),
    ];
    return pageOf(await rows.query(statement, values as Values));
  }
}
