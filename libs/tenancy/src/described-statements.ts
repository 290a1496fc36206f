import { statement, unscopedStatement, type Statement, type StatementOwner } from './statement.ts';

/** What PostgreSQL says of a statement: the values that it takes, and the rows that it answers. */
export interface StatementShape {
  readonly values: readonly unknown[];
  readonly row: unknown;
}

/** Shapes by the names of statements, as `npm run statements` writes them. */
type StatementShapes<Shapes> = Readonly<Record<keyof Shapes, StatementShape>>;

type Owner = Exclude<StatementOwner, 'unscoped'>;

/** How a statement is defined whose types PostgreSQL tells. */
export interface DescribedOptions<Key> {
  /** Unique within the service; PostgreSQL keeps the plan under it, and its types stand under it. */
  readonly name: Key;
  readonly text: string;
  /** Default: those of the project. */
  readonly times?: 'dates' | 'text';
}

/** One of several statements that are typed together: their names are put together at run time. */
export interface FamilyOptions<Key> extends DescribedOptions<string> {
  readonly like: Key;
}

/** Defines the statements of a project. */
export interface DescribedStatements<Shapes extends StatementShapes<Shapes>> {
  /**
   * A statement that cannot leave its tenant: the first of the two layers of tenant isolation, for hand-written SQL.
   *
   * @throws {TenancyError} STATEMENT_UNSCOPED, at definition, for a text that neither filters by
   * `organization_id = $1` nor inserts `$1` as the first column `organization_id`.
   */
  readonly statement: DefineStatement<Shapes>;
  /** A statement of tables whose rows belong to no tenant. */
  readonly unscopedStatement: DefineUnscopedStatement<Shapes>;
}

// Were the two signatures one, the name of a member would be looked for among the shapes.
/* oxlint-disable typescript/unified-signatures */
/** Defines a statement of an owner. */
export interface DefineStatement<Shapes extends StatementShapes<Shapes>> {
  <Key extends keyof Shapes, Of extends Owner = 'organization'>(
    options: FamilyOptions<Key> & { readonly owner?: Of },
  ): Statement<Shapes[Key]['row'], Shapes[Key]['values'], Of>;
  <Key extends keyof Shapes, Of extends Owner = 'organization'>(
    options: DescribedOptions<Key> & { readonly owner?: Of },
  ): Statement<Shapes[Key]['row'], Shapes[Key]['values'], Of>;
}

/** Defines an unscoped statement. */
export interface DefineUnscopedStatement<Shapes extends StatementShapes<Shapes>> {
  <Key extends keyof Shapes>(
    options: FamilyOptions<Key>,
  ): Statement<Shapes[Key]['row'], Shapes[Key]['values'], 'unscoped'>;
  <Key extends keyof Shapes>(
    options: DescribedOptions<Key>,
  ): Statement<Shapes[Key]['row'], Shapes[Key]['values'], 'unscoped'>;
}
/* oxlint-enable typescript/unified-signatures */

/**
 * Makes the functions by which a project defines its statements: their types stand, by their names, in a file that
 * `npm run statements` writes and a test compares with what PostgreSQL says.
 *
 * @param project the folder of the service or library
 * @param options.times how its statements give times; default `dates`
 *
 * @example
 * export const { statement, unscopedStatement } = describedStatements<Statements>('leads-service');
 *
 * const leadById = statement({
 *   name: 'lead-by-id',
 *   text: 'SELECT name FROM leads WHERE organization_id = $1 AND id = $2',
 * });
 */
export function describedStatements<Shapes extends StatementShapes<Shapes>>(
  project: string,
  { times = 'dates' }: { readonly times?: 'dates' | 'text' } = {},
): DescribedStatements<Shapes> {
  const described = ({ like, ...options }: GivenOptions) => ({
    times,
    ...options,
    described: { project, like },
  });
  return {
    statement: (options: GivenOptions) => statement(described(options)),
    unscopedStatement: (options: GivenOptions) => unscopedStatement(described(options)),
  } as unknown as DescribedStatements<Shapes>;
}

/** As it comes at run time; whose rows a statement reads is known to its type alone. */
interface GivenOptions extends DescribedOptions<string> {
  readonly owner?: 'organization';
  readonly like?: string;
}
