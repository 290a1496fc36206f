import { loadModule, parseSync } from 'libpg-query';
import type { Pool } from 'pg';
import type { StatementText } from '../statement-text.ts';
import { judgeStatement } from './judge.ts';

/** What {@link statementProblems} needs to know. */
export interface StatementProblemsOptions {
  /** Tables whose rows belong to no tenant, each with the reason why; the same list as for the catalog. */
  readonly unscoped?: Reasons;
  /** Functions of the service's own that read no table and change nothing, each with what it does. */
  readonly functions?: Reasons;
  /** Problems that you accept, word for word, each with the reason why. */
  readonly accepted?: Reasons;
  /**
   * The service of the database: a statement of another project that names a table which the service does not have cannot run
   * there, and is not judged. Default: all statements are its own.
   */
  readonly service?: string;
  /** Those of the service and of its libraries: `definedStatements` of `@tenantry/tenancy/testing`. */
  readonly statements: readonly StatementText[];
}

type Reasons = Readonly<Record<string, string>>;

/**
 * Judges statements by their syntax trees, as PostgreSQL's own parser gives them: in each, every table whose rows have
 * an owner must surely be confined to `$1`, and whatever is written must belong to it. Deny by default: a condition
 * counts where it holds for every row, joined by AND and by nothing else, and what is not understood is named.
 *
 * An empty list is what a service's test expects, once its modules are loaded.
 *
 * @param pool a database with all migrations; its catalog tells which columns tables have
 */
export async function statementProblems(
  pool: Pick<Pool, 'query'>,
  { unscoped = {}, functions = {}, accepted = {}, service, statements }: StatementProblemsOptions,
): Promise<string[]> {
  await loadModule();
  const tables = await columnsOfTables(pool);
  const rules = {
    tables,
    unscoped: new Set(Object.keys(unscoped)),
    functions: new Set([...harmlessFunctions, ...Object.keys(functions)]),
  };
  const found = new Set(namedTwice(statements));
  for (const { name, text, owner, described } of statements) {
    const problems: string[] = [];
    const missing: string[] = [];
    const report = (problem: string) => void problems.push(`${name} ${problem}`);
    const [first, ...further] = parseSync(text).stmts ?? [];
    if (!first?.stmt || further.length > 0) report('is not one statement');
    else
      judgeStatement(first.stmt, { ...rules, owner, report, missing: (table) => void missing.push(table) });
    const isOwn = service === undefined || described?.project === service;
    if (missing.length > 0 && !isOwn) continue;
    for (const table of missing) report(`names ${table}, which is no table of the database`);
    for (const problem of problems) found.add(problem);
  }
  return [
    ...[...found].filter((problem) => !(problem in accepted)),
    ...Object.keys(accepted)
      .filter((problem) => !found.has(problem))
      .map((problem) => `accepted, but not found: ${problem}`),
  ];
}

/** Of two projects: within one, defining the second throws. */
function namedTwice(statements: readonly StatementText[]): string[] {
  const names = statements.map(({ name }) => name);
  return names
    .filter((name, place) => names.indexOf(name) !== place)
    .map((name) => `${name} is the name of two statements: PostgreSQL keeps one plan`);
}

// Functions of PostgreSQL, and of libs/tenancy, that read no table and change no row. set_config() is none of them: it binds another scope.
const harmlessFunctions = `abs array_agg array_length avg bool_and bool_or btrim cardinality ceil char_length
clock_timestamp concat concat_ws count date_trunc dense_rank encode every extract first_value floor generate_series
gen_random_uuid hashtext hashtextextended host json_agg json_build_object json_strip_nulls jsonb_agg jsonb_build_object jsonb_strip_nulls
jsonb_to_recordset lag last_value lead left length lower ltrim make_interval max min mod normalize now octet_length
pg_advisory_xact_lock pg_try_advisory_xact_lock position rank replace right round row_number rtrim sha256 string_agg string_to_array strpos substring sum to_char to_timestamp trunc
unnest upper uuidv7 app.search_pattern`.split(/\s+/);

async function columnsOfTables(pool: Pick<Pool, 'query'>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(`
    SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END AS name,
      array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
    WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND attnum > 0 AND NOT attisdropped
      AND nspname !~ '^(pg_|information_schema$)'
    GROUP BY c.oid, nspname, relname`);
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}
