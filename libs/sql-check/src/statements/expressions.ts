import type { ColumnRef, Node, SelectStmt } from 'libpg-query';
import {
  ownerColumns,
  ownersOf,
  sourceOf,
  type Names,
  type Owned,
  type Owner,
  type Source,
} from './sources.ts';

/** Two expressions that are equal in every row. */
export type Equality = readonly [left: Node, right: Node];

/** The text of a name in a list of names. */
export function nameOf(node: Node | undefined): string | undefined {
  return node && 'String' in node ? node.String.sval : undefined;
}

/** The equalities that hold wherever a condition does: those joined by AND, and by nothing else. */
export function equalitiesOf(condition: Node | undefined): Equality[] {
  if (!condition) return [];
  if ('BoolExpr' in condition) {
    const { boolop, args = [] } = condition.BoolExpr;
    return boolop === 'AND_EXPR' ? args.flatMap(equalitiesOf) : [];
  }
  if (!('A_Expr' in condition)) return [];
  const { kind, name = [], lexpr, rexpr } = condition.A_Expr;
  if (kind !== 'AEXPR_OP' || name.length !== 1 || nameOf(name[0]) !== '=' || !lexpr || !rexpr) return [];
  if (!('RowExpr' in lexpr) || !('RowExpr' in rexpr)) return [[lexpr, rexpr]];
  const right = rexpr.RowExpr.args ?? [];
  return (lexpr.RowExpr.args ?? []).flatMap((left, n) => {
    const other = right[n];
    return other ? [[left, other] as const] : [];
  });
}

/** A column of a source. */
export interface Column {
  readonly source: Source;
  readonly name: string;
}

/** The column that an expression is, and nothing but. */
export function columnOf(node: Node | undefined, names: Names): Column | undefined {
  if (!node || !('ColumnRef' in node)) return undefined;
  const [name, qualifier] = reversedNames(node.ColumnRef);
  if (name === undefined) return undefined;
  const source = sourceOf(name, qualifier, names);
  return source && { source, name };
}

/** The names of a reference, the column first; none for a star. */
export function reversedNames({ fields = [] }: ColumnRef): (string | undefined)[] {
  return fields.map(nameOf).reverse();
}

/** Whose id an expression surely is. */
export function ownedBy(
  node: Node | undefined,
  { names, owner }: { names: Names; owner: Owner },
): Owned | undefined {
  if (!node) return undefined;
  if ('TypeCast' in node) {
    const { arg, typeName } = node.TypeCast;
    const isUuid = nameOf(typeName?.names?.at(-1)) === 'uuid' && !typeName?.arrayBounds;
    return isUuid ? ownedBy(arg, { names, owner }) : undefined;
  }
  if ('ParamRef' in node) return node.ParamRef.number === 1 && owner !== 'unscoped' ? owner : undefined;
  const column = columnOf(node, names);
  return column?.source.confined ? column.source.owned.get(column.name) : undefined;
}

/** An equality, and the sources whose rows it holds for: an outer join keeps rows of one side without it. */
export interface Fact {
  readonly equality: Equality;
  readonly confines: readonly Source[];
}

/** Takes the rows of every source for the owner's whose owner column is equal to an id that is known to be the owner's. */
export function confine(facts: readonly Fact[], { names, owner }: { names: Names; owner: Owner }): void {
  const confinedBy = ({ equality: [left, right], confines }: Fact): boolean =>
    [
      [left, right],
      [right, left],
    ].some(([side, other]) => {
      const column = columnOf(side, names);
      if (!column || column.source.confined || !confines.includes(column.source)) return false;
      const needed = ownersOf(column.source.columns, owner);
      if (!needed || column.name !== ownerColumns[needed] || ownedBy(other, { names, owner }) !== needed)
        return false;
      column.source.confined = true;
      return true;
    });
  // Each may be what another one waits for.
  while (facts.some(confinedBy));
}

/** What an expression holds inside, at any depth: queries (not what is in them) and calls of functions. */
export interface Parts {
  readonly queries: SelectStmt[];
  readonly functions: string[];
}

/** Finds the queries and the calls in anything that the parser gives. */
export function partsOf(tree: unknown, parts: Parts = { queries: [], functions: [] }): Parts {
  if (typeof tree !== 'object' || tree === null) return parts;
  for (const [key, value] of Object.entries(tree)) {
    if (key === 'SelectStmt') parts.queries.push(value as SelectStmt);
    else {
      if (key === 'FuncCall')
        parts.functions.push(functionName((value as { funcname?: Node[] }).funcname ?? []));
      partsOf(value, parts);
    }
  }
  return parts;
}

function functionName(names: readonly Node[]): string {
  return names
    .map(nameOf)
    .filter((name, n) => !(n === 0 && name === 'pg_catalog'))
    .join('.');
}
