import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { misfits, rowTypes, type RowTypes, type StatementText } from '@tenantry/sql-check/types';

/** What tenancy publishes: rows of a statement, and the name of the database that answered. */
interface Answered {
  readonly database: string;
  readonly statement: StatementText;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The statements that a database has answered, by their names; of each, some rows that differ in kind. */
type AnsweredStatements = Map<
  string,
  { readonly statement: StatementText; readonly rows: Map<string, Answered['rows'][0]> }
>;

/** By the names of the databases that are watched: services under test share a process. */
const watched = new Map<string, AnsweredStatements>();
/** By schema, and by the names of statements: as described so far, by any test of this process. */
const types = new Map<string, Map<string, RowTypes>>();

/** Begins to look at every row that a described statement answers from a database. */
export function watchAnsweredRows(database: string): void {
  if (watched.size === 0) subscribe('tenantry.answered-rows', look);
  watched.set(database, new Map());
}

function look(message: unknown): void {
  const { database, statement, rows } = message as Answered;
  const seen = watched.get(database);
  if (!seen || !statement.described) return;
  const known = seen.get(statement.name) ?? { statement, rows: new Map() };
  seen.set(statement.name, known);
  for (const row of rows) known.rows.set(shapeOf(row), row);
}

/** Rows of one shape fit the same types: short texts count, since they may be one of a few. */
const shapeOf = (row: Readonly<Record<string, unknown>>): string =>
  Object.values(row)
    .map((value) => {
      if (typeof value === 'string' && value.length <= 20 && !/\d/.test(value)) return value;
      return value === null ? 'null' : Object.prototype.toString.call(value);
    })
    .join();

/**
 * Compares the rows that a database has answered with what PostgreSQL says of their statements, and watches it no longer.
 *
 * @param database.schema what its tables are made of: statements are described once for each
 * @param database.url as its superuser
 * @throws {Error} that names the columns whose types are wrong
 */
export async function assertRowsFitTheirTypes({
  name,
  schema,
  url,
}: {
  readonly name: string;
  readonly schema: string;
  readonly url: string;
}): Promise<void> {
  const answered = [...(watched.get(name)?.values() ?? [])];
  watched.delete(name);
  if (watched.size === 0) unsubscribe('tenantry.answered-rows', look);
  const known = types.get(schema) ?? new Map<string, RowTypes>();
  types.set(schema, known);
  const unknown = answered.map(({ statement }) => statement).filter((one) => !known.has(one.name));
  if (unknown.length > 0) for (const [of, row] of await rowTypes(url, unknown)) known.set(of, row);
  const problems = answered.flatMap(({ statement, rows }) =>
    [...rows.values()].flatMap((row) =>
      misfits(row, known.get(statement.name) ?? {}).map((one) => `${statement.name}: ${one}`),
    ),
  );
  if (problems.length > 0)
    throw new Error(`Rows are not what their types say:\n${[...new Set(problems)].join('\n')}`);
}
