import { subscribe } from 'node:diagnostics_channel';
import { misfits, rowTypes, type RowTypes, type StatementText } from '@tenantry/sql-check/types';

interface Answered {
  readonly statement: StatementText;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** What statements have answered since the last look, by their names; of each, some rows that differ in kind. */
const seen = new Map<
  string,
  { readonly statement: StatementText; readonly rows: Map<string, Answered['rows'][0]> }
>();
/** As described so far, by any test of this process. */
const types = new Map<string, RowTypes>();

/** Begins to look at every row that a described statement answers in this process. */
export function watchAnsweredRows(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('tenantry.answered-rows', (message) => {
    const { statement, rows } = message as Answered;
    if (!statement.described) return;
    const known = seen.get(statement.name) ?? { statement, rows: new Map() };
    seen.set(statement.name, known);
    for (const row of rows) known.rows.set(shapeOf(row), row);
  });
}
let isWatching = false;

/** Rows of one shape fit the same types: short texts count, since they may be one of a few. */
const shapeOf = (row: Readonly<Record<string, unknown>>): string =>
  Object.values(row)
    .map((value) => {
      if (typeof value === 'string' && value.length <= 20 && !/\d/.test(value)) return value;
      return value === null ? 'null' : Object.prototype.toString.call(value);
    })
    .join();

/**
 * Compares the rows that were answered with what PostgreSQL says of their statements.
 *
 * @param url the database that they come from, as its superuser
 * @throws {Error} that names the columns whose types are wrong
 */
export async function assertRowsFitTheirTypes(url: string): Promise<void> {
  const answered = [...seen.values()];
  seen.clear();
  const unknown = answered.map(({ statement }) => statement).filter(({ name }) => !types.has(name));
  if (unknown.length > 0) for (const [name, row] of await rowTypes(url, unknown)) types.set(name, row);
  const problems = answered.flatMap(({ statement: { name }, rows }) =>
    [...rows.values()].flatMap((row) => misfits(row, types.get(name) ?? {}).map((one) => `${name}: ${one}`)),
  );
  if (problems.length > 0)
    throw new Error(`Rows are not what their types say:\n${[...new Set(problems)].join('\n')}`);
}
