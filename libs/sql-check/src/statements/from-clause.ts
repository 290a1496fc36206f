import type { Alias, JoinExpr, Node, RangeFunction, RangeSubselect, RangeVar, SelectStmt } from 'libpg-query';
import { equalitiesOf, nameOf, type Equality, type Fact } from './expressions.ts';
import { freeSource, type OutputColumn, type Source } from './sources.ts';

/** How the parts of a FROM clause are read. */
export interface FromReader {
  table(range: RangeVar): Source[];
  query(select: SelectStmt): readonly OutputColumn[];
  report(problem: string): void;
}

/** A FROM clause, taken apart. */
export interface FromClause {
  readonly sources: Source[];
  readonly facts: Fact[];
  /** Conditions and arguments, in which further queries may stand. */
  readonly expressions: Node[];
  /** Queries that see the sources beside them. */
  readonly laterals: { readonly alias: Alias | undefined; readonly select: SelectStmt }[];
}

/** Takes a FROM clause apart. */
export function readFrom(items: readonly Node[], reader: FromReader): FromClause {
  const clause: FromClause = { sources: [], facts: [], expressions: [], laterals: [] };
  for (const item of items) readItem(item, { clause, reader });
  return clause;
}

interface Reading {
  readonly clause: FromClause;
  readonly reader: FromReader;
}

/** The sources that an item gives; a lateral one comes later. */
function readItem(item: Node | undefined, reading: Reading): Source[] {
  const { clause, reader } = reading;
  if (!item) return [];
  if ('JoinExpr' in item) return readJoin(item.JoinExpr, reading);
  const sources = sourcesOf(item, { clause, reader });
  clause.sources.push(...sources);
  return sources;
}

function sourcesOf(item: Node, { clause, reader }: Reading): Source[] {
  if ('RangeVar' in item) return reader.table(item.RangeVar);
  if ('RangeSubselect' in item) return readSubselect(item.RangeSubselect, { clause, reader });
  if ('RangeFunction' in item) {
    clause.expressions.push(item);
    return [functionSource(item.RangeFunction)];
  }
  reader.report(`reads from ${Object.keys(item).join()}, which is not judged`);
  return [];
}

function readSubselect({ subquery, alias, lateral }: RangeSubselect, { clause, reader }: Reading): Source[] {
  if (!subquery || !('SelectStmt' in subquery)) return [];
  if (lateral) {
    clause.laterals.push({ alias, select: subquery.SelectStmt });
    return [];
  }
  return [aliased(alias, reader.query(subquery.SelectStmt))];
}

/** The rows of a query under its alias, which may rename its columns. */
export function aliased(alias: Alias | undefined, columns: readonly OutputColumn[]): Source {
  return freeSource(alias?.aliasname ?? '', renamed(columns, alias?.colnames));
}

/** Columns under the names of a list, which counts places. */
export function renamed(columns: readonly OutputColumn[], names: readonly Node[] = []): OutputColumn[] {
  if (names.length === 0) return [...columns];
  const known = columns.every(({ placed }) => placed);
  return columns.map((column, n) => ({
    ...column,
    name: nameOf(names[n]) ?? column.name,
    owned: known ? column.owned : undefined,
  }));
}

/** What a function answers is its own affair; nothing of it is known to be the owner's. */
function functionSource({ alias }: RangeFunction): Source {
  return freeSource(alias?.aliasname ?? '', [], true);
}

function readJoin(join: JoinExpr, reading: Reading): Source[] {
  const { clause, reader } = reading;
  const left = readItem(join.larg, reading);
  const right = readItem(join.rarg, reading);
  if (join.isNatural) reader.report('joins by the names of columns: NATURAL is not judged');
  if (join.alias) reader.report('names a join, which hides the tables in it');
  if (join.quals) clause.expressions.push(join.quals);
  const confines = confinedSides(join, { left, right });
  const using = (join.usingClause ?? []).flatMap((node) => usingColumn(nameOf(node), { left, right }));
  for (const equality of [...equalitiesOf(join.quals), ...using]) clause.facts.push({ equality, confines });
  return [...left, ...right];
}

interface Sides {
  readonly left: readonly Source[];
  readonly right: readonly Source[];
}

/** The side that an outer join keeps comes with rows for which its condition does not hold. */
function confinedSides({ jointype }: JoinExpr, { left, right }: Sides): readonly Source[] {
  if (jointype === 'JOIN_INNER') return [...left, ...right];
  if (jointype === 'JOIN_LEFT') return right;
  return jointype === 'JOIN_RIGHT' ? left : [];
}

function usingColumn(name: string | undefined, { left, right }: Sides): Equality[] {
  if (name === undefined) return [];
  const [one, another] = [left, right].map((side) => side.filter(({ columns }) => columns.has(name)));
  if (one?.length !== 1 || another?.length !== 1) return [];
  return [[reference(one[0], name), reference(another[0], name)]];
}

function reference(source: Source | undefined, column: string): Node {
  const fields = [source?.name ?? '', column].map((sval) => ({ String: { sval } }));
  return { ColumnRef: { fields } };
}
