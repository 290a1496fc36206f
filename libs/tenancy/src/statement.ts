import { TenancyError } from './errors.ts';
import type { OrganizationScope, Scope, UserScope } from './scope.ts';
import { makeEveryMember } from './statement-families.ts';

/**
 * A named, prepared statement that cannot leave its tenant.
 *
 * `Row` is what it answers, `Values` its parameters: behind `$1`, which is its owner in the scope, if it has one.
 */
export interface Statement<
  Row,
  Values extends readonly unknown[],
  Owner extends StatementOwner = StatementOwner,
> {
  readonly name: string;
  readonly text: string;
  readonly owner: Owner;
  /** How times are given: as `Date`, which is the default, or as the text that `Date.toISOString()` gives. */
  readonly times?: 'dates' | 'text';
  /** Where its types come from, if PostgreSQL has told them. */
  readonly described?: DescribedAs | undefined;
  /** Exists only as a type: the row, and the statement's parameters. */
  readonly shape?: (values: Values) => Row;
}

/** The source of a statement's types. */
export interface DescribedAs {
  /** The service or library whose `src/statements.types.ts` it is. */
  readonly project: string;
  /** The shared name of several statements' types; default: the name. */
  readonly like?: string | undefined;
}

/**
 * Whose rows a statement reads: `$1` is the scope's organization, or its user; `unscoped` statements read only unscoped tables.
 */
export type StatementOwner = 'organization' | 'user' | 'unscoped';

/** The owners whose statements run in a scope: those that it names, and `unscoped`. In an unspecified scope, all do. */
export type OwnerIn<S> = Scope extends S
  ? StatementOwner
  : | 'unscoped'
    | (S extends OrganizationScope ? 'organization' : never)
    | (S extends UserScope ? 'user' : never);

/** A statement of unscoped tables: it runs in any scope and outside of one, and `$1` is the first of its values. */
export type UnscopedStatement<Row, Values extends readonly unknown[]> = Statement<Row, Values, 'unscoped'>;

/** Options of {@link unscopedStatement}. */
export interface UnscopedStatementOptions {
  /** Unique within the service; PostgreSQL keeps the plan under it. */
  readonly name: string;
  readonly text: string;
  /** Default: `dates`. With `text` an answer can be copied from its row. */
  readonly times?: 'dates' | 'text';
  readonly described?: DescribedAs | undefined;
}

/** Options of {@link statement}. */
export interface StatementOptions extends UnscopedStatementOptions {
  /** Default: `organization`. */
  readonly owner?: Exclude<StatementOwner, 'unscoped'>;
}

/**
 * Defines a statement: the first of the two layers of tenant isolation, for hand-written SQL.
 *
 * @throws {TenancyError} STATEMENT_UNSCOPED, at definition, for a text that neither filters by
 * `organization_id = $1` nor inserts `$1` as the first column `organization_id`.
 *
 * @example
 * const leadById = statement<{ name: string }, [id: string]>({
 *   name: 'lead-by-id',
 *   text: 'SELECT name FROM leads WHERE organization_id = $1 AND id = $2',
 * });
 */
export function statement<Row = never, Values extends readonly unknown[] = []>(
  options: StatementOptions & { readonly owner: 'user' },
): Statement<Row, Values, 'user'>;
export function statement<Row = never, Values extends readonly unknown[] = []>(
  options: StatementOptions & { readonly owner?: 'organization' },
): Statement<Row, Values, 'organization'>;
export function statement<Row, Values extends readonly unknown[]>({
  name,
  text,
  owner = 'organization',
  times = 'dates',
  described,
}: StatementOptions): Statement<Row, Values, 'organization' | 'user'> {
  if (!isScoped(text, `${owner}_id`)) {
    throw new TenancyError(
      'STATEMENT_UNSCOPED',
      `The statement ${name} reaches beyond its tenant: filter by ${owner}_id = $1, or insert $1 as the first column ${owner}_id.`,
    );
  }
  return define({ name, text, owner, times, described });
}

/**
 * Defines a statement of tables whose rows belong to no tenant, such as look-ups before the caller is known.
 *
 * A test that judges every statement checks that it names no other table, and row-level security enforces it.
 *
 * @example
 * const countryByCode = unscopedStatement<{ name: string }, [code: string]>({
 *   name: 'country-by-code',
 *   text: 'SELECT name FROM countries WHERE code = $1',
 * });
 * const [country] = await database.unscoped.query(countryByCode, ['SE']);
 */
export function unscopedStatement<Row = never, Values extends readonly unknown[] = []>({
  name,
  text,
  times = 'dates',
  described,
}: UnscopedStatementOptions): UnscopedStatement<Row, Values> {
  return define({ name, text, owner: 'unscoped', times, described });
}

function define<Row, Values extends readonly unknown[], Owner extends StatementOwner>(
  made: Statement<Row, Values, Owner>,
): Statement<Row, Values, Owner> {
  const { name, text, described } = made;
  if (described) {
    const defined = definedIn(described.project);
    const before = defined.get(name);
    if (before && before.text !== text) {
      throw new TenancyError(
        'STATEMENT_NAMED_TWICE',
        `Two statements of ${described.project} are named ${name}: PostgreSQL keeps one plan.`,
      );
    }
    defined.set(name, made);
  }
  return Object.freeze(made);
}

/** The statements of each project, by their names. */
const projects = new Map<string, Map<string, Statement<unknown, never>>>();

function definedIn(project: string): Map<string, Statement<unknown, never>> {
  const defined = projects.get(project) ?? new Map<string, Statement<unknown, never>>();
  projects.set(project, defined);
  return defined;
}

/**
 * The statements of services and libraries that the modules loaded so far have defined, every member of families included, for the
 * tests that judge them. Whatever else the process has loaded is left out.
 *
 * @param project the folder of the service or library
 */
export function definedStatements(
  project: string,
  ...more: readonly string[]
): readonly Statement<unknown, never>[] {
  makeEveryMember();
  return [project, ...more].flatMap((name) => [...definedIn(name).values()]);
}

function isScoped(text: string, column: string): boolean {
  const code = text.replaceAll(/--.*$|\/\*[^]*?\*\//gm, ' ').replaceAll(/\s+/g, ' ');
  const filters = new RegExp(`\\b${column} = \\$1(?!\\d)`);
  const inserts = new RegExp(
    `\\bINSERT INTO [\\w.]+ \\( ?${column}\\b[^)]*\\) (VALUES \\( ?|SELECT )\\$1(?!\\d)`,
    'i',
  );
  return filters.test(code) || inserts.test(code);
}
