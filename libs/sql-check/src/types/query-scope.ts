import type { Catalog } from './catalog.ts';
import { isList, isNode, nodeIn, nodesIn, numberIn, textIn, type Node } from './node-tree.ts';

/** A query within a statement, in which its variables have a meaning. */
export interface QueryScope {
  /** Tells the queries of a statement apart, the same way each time. */
  readonly id: string;
  readonly query: Node;
  readonly outer: QueryScope | undefined;
  readonly catalog: Catalog;
  readonly parameterIsNullable: (id: number) => boolean;
  /** Variables that its conditions let be null in no row, as {@link variableKey} names them. */
  readonly proven: ReadonlySet<string>;
}

/** The kinds of entries in a query's list of tables (`RTEKind` of PostgreSQL 18). */
export const rangeKind = {
  table: 0,
  subquery: 1,
  join: 2,
  function: 3,
  values: 5,
  cte: 6,
  group: 9,
} as const;

/** Enters a query within another. */
export function enter(
  query: Node,
  { id, outer }: { readonly id: string; readonly outer: QueryScope },
): QueryScope {
  const { catalog, parameterIsNullable } = outer;
  return enterStatement(query, { id, outer, catalog, parameterIsNullable });
}

/** Enters the query that a statement is. */
export function enterStatement(
  query: Node,
  known: Pick<QueryScope, 'catalog' | 'parameterIsNullable'> & Partial<Pick<QueryScope, 'id' | 'outer'>>,
): QueryScope {
  const jointree = nodeIn(query, 'jointree');
  const conditions = jointree ? conditionsOf(jointree) : [];
  const proven = new Set(conditions.flatMap((one) => provenBy(one, known.catalog)));
  return { id: '', outer: undefined, ...known, query, proven };
}

/** The result columns of a query: its SELECT list, or its RETURNING list. */
export function outputsOf(query: Node): readonly Node[] {
  const isSelect = numberIn(query, 'commandType') === 1;
  return nodesIn(query, isSelect ? 'targetList' : 'returningList').filter(
    (output) => textIn(output, 'resjunk') !== 'true',
  );
}

/** What a variable refers to: a column of a table, or one of several expressions. */
export type Source = { readonly table: number; readonly position: number } | Expressions;

/** The alternative expressions of a value, in a scope. */
export interface Expressions {
  readonly scope: QueryScope;
  readonly expressions: readonly (Node | undefined)[];
}

/** The scope that a variable belongs to. */
export function scopeOf(variable: Node, scope: QueryScope): QueryScope {
  let found = scope;
  for (let up = numberIn(variable, 'varlevelsup'); up > 0 && found.outer; up -= 1) found = found.outer;
  return found;
}

/** The functions that a variable is a column of, if FROM calls them. */
export function functionsOf(variable: Node, scope: QueryScope): readonly Node[] {
  const entry = entryOf(variable, scope);
  return entry ? nodesIn(entry, 'functions') : [];
}

const entryOf = (variable: Node, { query }: QueryScope): Node | undefined =>
  nodesIn(query, 'rtable')[numberIn(variable, 'varno') - 1];

/** Looks up a variable in its own scope. */
export function sourceOf(variable: Node, scope: QueryScope): Source | undefined {
  const entry = entryOf(variable, scope);
  const position = numberIn(variable, 'varattno');
  if (!entry || position <= 0) return undefined;
  switch (numberIn(entry, 'rtekind')) {
    case rangeKind.table:
      return { table: numberIn(entry, 'relid'), position };
    case rangeKind.subquery: {
      const query = nodeIn(entry, 'subquery');
      const id = `${scope.id}/${numberIn(variable, 'varno')}`;
      return query && outputAt(position, enter(query, { id, outer: scope }));
    }
    case rangeKind.cte:
      return cteOutput(entry, position, scope);
    case rangeKind.join:
      return { scope, expressions: [nodesIn(entry, 'joinaliasvars')[position - 1]] };
    case rangeKind.values:
      return { scope, expressions: valuesAt(entry, position) };
    case rangeKind.group:
      return { scope, expressions: [nodesIn(entry, 'groupexprs')[position - 1]] };
    default:
      return undefined;
  }
}

/** The expressions behind the column of a query at a position, from 1. */
export function outputAt(position: number, scope: QueryScope): Expressions {
  const branches = nodeIn(scope.query, 'setOperations') ? nodesIn(scope.query, 'rtable') : [];
  if (branches.length === 0) {
    const output = outputsOf(scope.query)[position - 1];
    return { scope, expressions: [output && nodeIn(output, 'expr')] };
  }
  const expressions = branches.map((_, index) => branchVariable(index + 1, position));
  return { scope, expressions };
}

/** A variable that refers to a column of one branch of a UNION. */
function branchVariable(varno: number, varattno: number): Node {
  const fields = { varno: String(varno), varattno: String(varattno), varlevelsup: '0', varnullingrels: [] };
  return { kind: 'VAR', fields };
}

function cteOutput(entry: Node, position: number, scope: QueryScope): Source | undefined {
  const name = textIn(entry, 'ctename');
  let holder: QueryScope | undefined = scope;
  for (let up = numberIn(entry, 'ctelevelsup'); up > 0; up -= 1) holder = holder?.outer;
  const cte = holder && nodesIn(holder.query, 'cteList').find((one) => textIn(one, 'ctename') === name);
  const query = cte && nodeIn(cte, 'ctequery');
  if (!query || !holder || scope.id.includes(`/${name}`)) return undefined;
  const id = `${holder.id}/${name}`;
  return outputAt(position, enter(query, { id, outer: holder }));
}

function valuesAt(entry: Node, position: number): (Node | undefined)[] {
  const lists = entry.fields['values_lists'];
  if (!isList(lists)) return [];
  return lists.filter(isList).map((list) => {
    const value = list[position - 1];
    return isNode(value) ? value : undefined;
  });
}

/** Names a variable of a scope. */
export function variableKey(variable: Node): string {
  return `${numberIn(variable, 'varno')}.${numberIn(variable, 'varattno')}`;
}

/** The conditions that every row of a query meets: those of WHERE, and of joins that add no rows of nulls. */
function conditionsOf(from: Node): Node[] {
  const quals = nodeIn(from, 'quals');
  const own = quals ? conjuncts(quals) : [];
  if (from.kind === 'FROMEXPR') return [...own, ...nodesIn(from, 'fromlist').flatMap(conditionsOf)];
  if (from.kind !== 'JOINEXPR') return [];
  const [inner, left] = [0, 1];
  const type = numberIn(from, 'jointype');
  const sides = type === inner ? ['larg', 'rarg'] : type === left ? ['larg'] : [];
  const below = sides.flatMap((side) => {
    const node = nodeIn(from, side);
    return node ? conditionsOf(node) : [];
  });
  return type === inner ? [...own, ...below] : below;
}

function conjuncts(condition: Node): Node[] {
  const isAnd = condition.kind === 'BOOLEXPR' && textIn(condition, 'boolop') === 'and';
  return isAnd ? nodesIn(condition, 'args').flatMap(conjuncts) : [condition];
}

/** The variables that a condition is never true for when they are null. */
function provenBy(condition: Node, catalog: Catalog): string[] {
  const isOwn = (node: Node) => node.kind === 'VAR' && numberIn(node, 'varlevelsup') === 0;
  if (condition.kind === 'NULLTEST' && numberIn(condition, 'nulltesttype') === 1) {
    const tested = nodeIn(condition, 'arg');
    return tested && isOwn(tested) ? [variableKey(tested)] : [];
  }
  if (!['OPEXPR', 'SCALARARRAYOPEXPR'].includes(condition.kind)) return [];
  if (catalog.functionOf(numberIn(condition, 'opfuncid'))?.isStrict !== true) return [];
  return nodesIn(condition, 'args').map(bare).filter(isOwn).map(variableKey);
}

/** An expression without casts that change nothing but its type. */
export function bare(expression: Node): Node {
  const inner = expression.kind === 'RELABELTYPE' ? nodeIn(expression, 'arg') : undefined;
  return inner ? bare(inner) : expression;
}
