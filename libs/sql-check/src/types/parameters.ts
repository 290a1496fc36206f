import type { Catalog, CatalogColumn } from './catalog.ts';
import { childrenOf, isNode, nodeIn, nodesIn, numberIn, textIn, type Node } from './node-tree.ts';
import {
  bare,
  enter,
  enterStatement,
  functionsOf,
  scopeOf,
  sourceOf,
  type QueryScope,
} from './query-scope.ts';

/** One use of a parameter. */
interface Use {
  /** Its name if no column gives it one. */
  readonly name?: string;
  /** The column that it is written to or compared with. */
  readonly column?: CatalogColumn | undefined;
  /** Written to a column, asked whether it is null, or neither. */
  readonly how: 'written' | 'nulls-welcome' | 'other';
  /** Whether the column takes its elements, or is one of them. */
  readonly isList: boolean;
}

/** What is known of a parameter. */
export interface ParameterFact {
  readonly name: string;
  /** The parameter itself, or, where it is a list, each of its elements. */
  readonly isNullable: boolean;
  readonly isList: boolean;
  readonly texts?: readonly string[] | undefined;
}

/** Determines names and nullability of a statement's parameters. */
export function parameterFacts(query: Node, catalog: Catalog): (id: number) => ParameterFact {
  const uses = new Map<number, Use[]>();
  const note = (parameter: Node, use: Use) => {
    const id = numberIn(parameter, 'paramid');
    uses.set(id, [...(uses.get(id) ?? []), use]);
  };
  visitQuery(enterStatement(query, { catalog, parameterIsNullable: () => false }), note);
  return (id) => factOfUses(id, uses.get(id) ?? []);
}

function factOfUses(id: number, uses: readonly Use[]): ParameterFact {
  const named = uses.filter(({ column }) => column !== undefined);
  const written = uses.filter(({ how }) => how === 'written');
  const isNullable =
    uses.some(({ how }) => how === 'nulls-welcome') ||
    (written.length > 0 && written.every(({ column }) => column?.notNull === false));
  const [first] = named;
  const isList = named.some((use) => use.isList);
  const name = first?.column
    ? camelCase(first.column.name)
    : (uses.find((use) => use.name)?.name ?? `value${id}`);
  return {
    name: isList && first?.isList ? `${name}List` : name,
    isNullable,
    isList,
    texts: named.find(({ column }) => column?.allowed)?.column?.allowed,
  };
}

const camelCase = (name: string) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

type Note = (parameter: Node, use: Use) => void;

function visitQuery(scope: QueryScope, note: Note): void {
  visitWrites(scope, note);
  visit(scope.query, scope, note);
}

/** Columns that an INSERT or UPDATE writes, and their sources. */
function visitWrites(scope: QueryScope, note: Note): void {
  const { query, catalog } = scope;
  for (const [field, name] of [
    ['limitCount', 'limit'],
    ['limitOffset', 'offset'],
  ] as const) {
    const given = nodeIn(query, field);
    const parameter = given && passedOn(given, scope);
    if (parameter?.kind === 'PARAM') note(parameter, { name, how: 'other', isList: false });
  }
  const [update, insert] = [2, 3];
  const command = numberIn(query, 'commandType');
  const conflict = nodeIn(query, 'onConflict');
  const targets = [
    ...(command === update || command === insert ? nodesIn(query, 'targetList') : []),
    ...(conflict ? nodesIn(conflict, 'onConflictSet') : []),
  ];
  const table = nodesIn(query, 'rtable')[numberIn(query, 'resultRelation') - 1];
  for (const target of targets) {
    const column = table && catalog.column(numberIn(table, 'relid'), numberIn(target, 'resno'));
    const expression = nodeIn(target, 'expr');
    if (!column || !expression) continue;
    for (const { parameter, isList } of givenBy(expression, scope))
      note(parameter, { column, how: 'written', isList });
  }
}

/** The parameters that an expression passes on as they are, or element by element. */
function givenBy(expression: Node, scope: QueryScope): { parameter: Node; isList: boolean }[] {
  const node = passedOn(expression, scope);
  if (node.kind === 'PARAM') return [{ parameter: node, isList: false }];
  if (node.kind === 'CASEEXPR') {
    const results = nodesIn(node, 'args').map((when) => nodeIn(when, 'result'));
    return [...results, nodeIn(node, 'defresult')].flatMap((one) => (one ? givenBy(one, scope) : []));
  }
  if (node.kind !== 'VAR') return [];
  const own = scopeOf(node, scope);
  const source = sourceOf(node, own);
  if (source && 'expressions' in source)
    return source.expressions.flatMap((one) => (one ? givenBy(one, source.scope) : []));
  const unnested = unnestedBy(node, own);
  return unnested ? [{ parameter: unnested, isList: true }] : [];
}

function unnestedBy(variable: Node, scope: QueryScope): Node | undefined {
  const call = functionsOf(variable, scope)[numberIn(variable, 'varattno') - 1];
  const expression = call && nodeIn(call, 'funcexpr');
  const [argument] = expression ? nodesIn(expression, 'args').map(bare) : [];
  return argument?.kind === 'PARAM' ? argument : undefined;
}

/** An expression without what leaves null null and does not hide whose value it is: casts, and functions of ours of one argument. */
function passedOn(expression: Node, scope: QueryScope): Node {
  const node = bare(expression);
  const converted = node.kind === 'COERCEVIAIO' ? nodeIn(node, 'arg') : undefined;
  if (converted) return passedOn(converted, scope);
  if (node.kind !== 'FUNCEXPR') return node;
  const known = scope.catalog.functionOf(numberIn(node, 'funcid'));
  const [first] = nodesIn(node, 'args');
  const isCast = ['1', '2'].includes(textIn(node, 'funcformat'));
  return first && known?.isStrict && (isCast || !known.isBuiltIn) ? passedOn(first, scope) : node;
}

function visit(node: Node, scope: QueryScope, given: Note): void {
  const isOuterJoin = node.kind === 'JOINEXPR' && numberIn(node, 'jointype') !== 0;
  // In the condition of an outer join, a null means that there is no other side, which may be intended.
  const note: Note = isOuterJoin
    ? (parameter, use) => given(parameter, { ...use, how: 'nulls-welcome' })
    : given;
  for (const [index, child] of childrenOf(node).entries()) {
    if (child.kind === 'QUERY') {
      const id = `${scope.id}/${node.kind}${index}${textIn(node, 'ctename')}`;
      visitQuery(enter(child, { id, outer: scope }), note);
    } else {
      noteUses(child, scope, note);
      visit(child, scope, note);
    }
  }
}

const asksForNull = ['NULLTEST', 'COALESCEEXPR', 'DISTINCTEXPR', 'NULLIFEXPR'];

function noteUses(node: Node, scope: QueryScope, note: Note): void {
  const operands = isNode(node.fields['arg']) ? [nodeIn(node, 'arg')] : nodesIn(node, 'args');
  const parameters = operands.flatMap((one) => {
    const passed = one && passedOn(one, scope);
    return passed?.kind === 'PARAM' ? [passed] : [];
  });
  if (parameters.length === 0) return;
  if (asksForNull.includes(node.kind)) {
    for (const parameter of parameters)
      note(parameter, { how: 'nulls-welcome', isList: false, column: comparedWith(operands, scope) });
  } else if (node.kind === 'OPEXPR' || node.kind === 'SCALARARRAYOPEXPR') {
    const isList = node.kind === 'SCALARARRAYOPEXPR';
    for (const parameter of parameters)
      note(parameter, { how: 'other', isList, column: comparedWith(operands, scope) });
  } else if (node.kind === 'FUNCEXPR') {
    const known = scope.catalog.functionOf(numberIn(node, 'funcid'));
    // A cast, or a function that is looked through: its surroundings count.
    if (known?.name === 'unnest' || passedOn(node, scope).kind === 'PARAM') return;
    const asksItself = known?.isBuiltIn === false && !known.isStrict;
    for (const parameter of parameters)
      note(parameter, { how: asksItself ? 'nulls-welcome' : 'other', isList: false });
  }
}

/** The column next to a parameter. */
function comparedWith(operands: readonly (Node | undefined)[], scope: QueryScope): CatalogColumn | undefined {
  for (const operand of operands) {
    const node = operand && passedOn(operand, scope);
    if (node?.kind !== 'VAR') continue;
    const column = columnOf(node, scope);
    if (column) return column;
  }
  return undefined;
}

function columnOf(variable: Node, from: QueryScope): CatalogColumn | undefined {
  const scope = scopeOf(variable, from);
  const source = sourceOf(variable, scope);
  if (!source) return undefined;
  if ('table' in source) return scope.catalog.column(source.table, source.position);
  const [only] = source.expressions;
  const inner = only && bare(only);
  return inner?.kind === 'VAR' ? columnOf(inner, source.scope) : undefined;
}
