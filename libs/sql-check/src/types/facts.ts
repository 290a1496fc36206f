import type { CatalogColumn, CatalogFunction } from './catalog.ts';
import { nodeIn, nodesIn, numberIn, numbersIn, textIn, type Node } from './node-tree.ts';
import {
  bare,
  enter,
  functionsOf,
  outputAt,
  scopeOf,
  sourceOf,
  variableKey,
  type Expressions,
  type QueryScope,
} from './query-scope.ts';

/** What is known of the values of an expression. */
export interface Fact {
  readonly isNullable: boolean;
  /** The outer joins by which it may be null; values of the same set of joins are null together. */
  readonly absentWith: readonly string[];
  /** The column that it is passed on from. */
  readonly column?: CatalogColumn | undefined;
  /** The texts that it is one of. */
  readonly texts?: readonly string[] | undefined;
}

const never: Fact = { isNullable: false, absentWith: [] };
const maybe: Fact = { isNullable: true, absentWith: [] };
/** Null and nothing else. */
const nothing: Fact = { ...maybe, texts: [] };

/** Determines the possible values of an expression. Anything that is not understood may be null. */
export function factOf(given: Node | undefined, scope: QueryScope): Fact {
  const of = (inner: Node | undefined): Fact => factOf(inner, scope);
  if (!given) return maybe;
  const node = bare(given);
  const args = () => nodesIn(node, 'args').map(of);

  switch (node.kind) {
    case 'VAR':
      return variableFact(node, scope);
    case 'CONST':
      return textIn(node, 'constisnull') === 'true' ? nothing : { ...never, texts: textOf(node) };
    case 'PARAM':
      return scope.parameterIsNullable(numberIn(node, 'paramid')) ? maybe : never;
    case 'NULLTEST':
    case 'BOOLEANTEST':
    case 'DISTINCTEXPR':
    case 'ARRAYEXPR':
    case 'ROWEXPR':
    case 'SQLVALUEFUNCTION':
      return never;
    case 'COALESCEEXPR':
    case 'MINMAXEXPR':
      return either(args(), 'all');
    case 'BOOLEXPR':
    case 'ROWCOMPAREEXPR':
      return plain(either(args(), 'any'));
    case 'COERCEVIAIO':
    case 'ARRAYCOERCEEXPR':
    case 'COLLATEEXPR':
    case 'NAMEDARGEXPR':
      return plain(of(nodeIn(node, 'arg')));
    case 'CASEEXPR':
      return either(
        [...nodesIn(node, 'args').map((when) => of(nodeIn(when, 'result'))), of(nodeIn(node, 'defresult'))],
        'any',
      );
    case 'FUNCEXPR':
      return called(scope.catalog.functionOf(numberIn(node, 'funcid')), args());
    case 'OPEXPR':
    case 'SCALARARRAYOPEXPR':
      return called(scope.catalog.functionOf(numberIn(node, 'opfuncid')), args());
    case 'AGGREF':
      return aggregates.has(scope.catalog.functionOf(numberIn(node, 'aggfnoid'))?.name ?? '') ? never : maybe;
    case 'WINDOWFUNC':
      return windows.has(scope.catalog.functionOf(numberIn(node, 'winfnoid'))?.name ?? '') ? never : maybe;
    case 'SUBLINK':
      return sublinkFact(node, scope);
    default:
      return maybe;
  }
}

/** They return a value even for an empty set. */
const aggregates = new Set(['count']);
const windows = new Set(['count', 'row_number', 'rank', 'dense_rank', 'ntile']);

/** Built-in functions that may return null for arguments that are not null. */
const doubtful =
  /^(json.*(element|field|path|extract).*|array_(length|lower|upper|position)|regexp_(match|substr)|substring|to_reg.*|pg_(?!current_|try_advisory_|advisory_).*|nullif|obj_description)$/;
/** Built-in functions that return a value for null arguments. */
const robust =
  /^(concat|concat_ws|format|json.*_build_.*|json.*_object|num_nulls|num_nonnulls|array_append|array_cat)$/;

function called(known: CatalogFunction | undefined, args: readonly Fact[]): Fact {
  if (!known) return maybe;
  if (known.isBuiltIn && robust.test(known.name)) return never;
  if (!known.isStrict || (known.isBuiltIn && doubtful.test(known.name))) return maybe;
  return plain(either(args, 'any'));
}

function variableFact(variable: Node, from: QueryScope): Fact {
  const scope = scopeOf(variable, from);
  const fact = sourceFact(variable, scope);
  if (scope.proven.has(variableKey(variable))) return { ...fact, isNullable: false, absentWith: [] };
  // The old row of an INSERT, and the new one of a DELETE, are null as a whole.
  const oldOrNew = numberIn(variable, 'varreturningtype');
  const command = numberIn(scope.query, 'commandType');
  if ((oldOrNew === 1 && command === 3) || (oldOrNew === 2 && command === 4))
    return { ...fact, isNullable: true };
  const nulling = numbersIn(variable, 'varnullingrels');
  // Either side of a FULL JOIN may be missing, but not both.
  const full = 2;
  const isEitherSide = nulling.some(
    (join) => numberIn(nodesIn(scope.query, 'rtable')[join - 1] ?? variable, 'jointype') === full,
  );
  if (isEitherSide) return { ...plain(fact), isNullable: true, column: fact.column, texts: fact.texts };
  const joins = nulling.map((join) => `${scope.id}:${join}`);
  return { ...fact, absentWith: [...new Set([...fact.absentWith, ...joins])] };
}

function sourceFact(variable: Node, scope: QueryScope): Fact {
  const source = sourceOf(variable, scope);
  if (!source) return isListOfGivenValues(variable, scope) ? never : maybe;
  if ('table' in source) {
    const column = scope.catalog.column(source.table, source.position);
    return column ? { isNullable: !column.notNull, absentWith: [], column, texts: column.allowed } : maybe;
  }
  return anyOf(source);
}

/** What is known of the column of a query at a position, from 1. */
export function outputFact(position: number, scope: QueryScope): Fact {
  return anyOf(outputAt(position, scope));
}

function anyOf({ scope, expressions }: Expressions): Fact {
  return either(
    expressions.map((one) => factOf(one, scope)),
    'any',
  );
}

/** Whether a variable is an element of an array that is given, or a number of a series. */
function isListOfGivenValues(variable: Node, scope: QueryScope): boolean {
  const { catalog } = scope;
  return functionsOf(variable, scope).some((one) => {
    const call = nodeIn(one, 'funcexpr');
    const name = call?.kind === 'FUNCEXPR' ? catalog.functionOf(numberIn(call, 'funcid'))?.name : undefined;
    return name === 'unnest' || name === 'generate_series';
  });
}

function sublinkFact(sublink: Node, scope: QueryScope): Fact {
  const [exists, expression, array] = [0, 4, 6];
  const type = numberIn(sublink, 'subLinkType');
  if (type === exists || type === array) return never;
  const query = nodeIn(sublink, 'subselect');
  if (type !== expression || !query) return maybe;
  const inner = enter(query, { id: `${scope.id}/sublink`, outer: scope });
  const fact = outputFact(1, inner);
  return answersOneRow(query)
    ? fact
    : { ...plain(fact), isNullable: true, column: fact.column, texts: fact.texts };
}

/** Whether a query always returns a row. */
function answersOneRow(query: Node): boolean {
  const isAggregate = textIn(query, 'hasAggs') === 'true';
  const isLimited = ['groupClause', 'groupingSets', 'havingQual', 'limitCount', 'limitOffset'].some(
    (clause) => query.fields[clause] !== null,
  );
  if (isAggregate && !isLimited) return true;
  const jointree = nodeIn(query, 'jointree');
  return !isLimited && jointree?.fields['quals'] === null && nodesIn(jointree, 'fromlist').length === 0;
}

function either(facts: readonly Fact[], isNullableIf: 'any' | 'all'): Fact {
  const [only] = facts;
  if (only && facts.length === 1) return only;
  const nullable = facts.map(({ isNullable, absentWith }) => isNullable || absentWith.length > 0);
  const isNullable = isNullableIf === 'any' ? nullable.includes(true) : !nullable.includes(false);
  const texts = facts.map((fact) => fact.texts);
  const known = texts.every((some) => some !== undefined) ? [...new Set(texts.flat())] : undefined;
  return { isNullable, absentWith: [], texts: known?.length ? known : undefined };
}

function plain({ isNullable, absentWith }: Fact): Fact {
  return { isNullable: isNullable || absentWith.length > 0, absentWith: [] };
}

/** The text of a constant of type `text`: its length, then four bytes of header and the bytes, as `7 [ 28 0 0 0 110 101 119 ]`. */
function textOf(constant: Node): readonly string[] | undefined {
  const text = 25;
  if (numberIn(constant, 'consttype') !== text) return undefined;
  const bytes = numbersIn(constant, 'constvalue').filter((byte) => !Number.isNaN(byte));
  return [Buffer.from(bytes.slice(5)).toString('utf8')];
}
