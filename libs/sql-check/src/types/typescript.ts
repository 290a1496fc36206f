import type { DescribedColumn, DescribedParameter, DescribedStatement } from './describe.ts';

/** A described statement, and how the service defines it. */
export interface TypedStatement extends DescribedStatement {
  /** The shared name of statements of one shape; default: the statement's name. */
  readonly like?: string | undefined;
  /** Whether tenancy supplies the first parameter. */
  readonly isScoped: boolean;
  /** The form of times in rows; default: `dates`. */
  readonly times?: 'dates' | 'text' | undefined;
}

/** Writes the types of statements, for the file that a service commits: an interface with a property for each shape. */
export function renderStatementTypes(statements: readonly TypedStatement[]): string {
  const members = new Map<string, TypedStatement[]>();
  for (const one of statements) {
    const key = one.like ?? one.name;
    members.set(key, [...(members.get(key) ?? []), one]);
  }
  const shapes = [...members]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, alike]) => shapeOf(name, alike));
  const shared = sharedRows(shapes);
  const text = shapes.map((shape) => shapeText(shape, shared)).join('');
  return `// What PostgreSQL says of the statements in this folder. Written by \`npm run statements\`, compared by a test.
${text.includes('Joined<') ? joined : ''}
/** The parameters of each statement, and its rows. */
export interface Statements {
${text}}
`;
}

const joined = `
/** The columns of an outer join: all null if it found nothing. */
type Joined<Columns> = Columns | { readonly [Column in keyof Columns]: null };
`;

/** The types that one or more statements are committed with, under one name. */
interface Shape {
  readonly name: string;
  readonly values: readonly string[];
  readonly rows: readonly string[];
}

function shapeOf(name: string, members: readonly TypedStatement[]): Shape {
  // In an order of their own: modules define their statements in whichever order they are loaded.
  return {
    name,
    values: distinct(members.map(valuesType)).toSorted(),
    rows: distinct(members.map(rowType)).toSorted(),
  };
}

/** Rows of several lines, with the first shape that has them; those that contain others come before them. */
function sharedRows(shapes: readonly Shape[]): [row: string, owner: string][] {
  const owners = new Map<string, string>();
  for (const { name, rows } of shapes) {
    const [row = '', ...others] = rows;
    if (others.length === 0 && row.includes('\n') && !owners.has(row)) owners.set(row, name);
  }
  return [...owners].toSorted(([one], [other]) => other.length - one.length);
}

function shapeText({ name, values, rows }: Shape, shared: readonly [row: string, owner: string][]): string {
  const others = shared.filter(([, owner]) => owner !== name);
  const short = (type: string) =>
    others.reduce((text, [row, owner]) => {
      const shared = `Statements[${quoted(owner)}]['row']`;
      const withMore = row.replace(/ {4}\}$/, '');
      return text.replaceAll(row, () => shared).replaceAll(withMore, () => `${shared} & {\n`);
    }, type);
  return `  ${propertyName(name)}: {\n    values:${union(values)};\n    row:${union(rows.map(short))};\n  };\n`;
}

function valuesType({ parameters, isScoped }: TypedStatement): string {
  const taken = new Set<string>();
  const values = parameters.slice(isScoped ? 1 : 0).map((parameter) => {
    let name = parameter.name;
    for (let number = 2; taken.has(name); number += 1) name = `${parameter.name}${number}`;
    taken.add(name);
    return `${name}: ${parameterType(parameter)}`;
  });
  return inLines('readonly [', values, ',', ']');
}

function parameterType({ name, type, isNullable, isList, texts }: DescribedParameter): string {
  const isArray = type.endsWith('[]');
  const isCount = name === 'limit' || name === 'offset';
  const plain = isCount ? 'number' : (given[type.replace('[]', '')] ?? 'unknown');
  const element = texts ? textsType(texts) : plain;
  if (!isArray) return isNullable ? `${element} | null` : element;
  return isList && isNullable ? `readonly (${element} | null)[]` : `readonly ${inParentheses(element)}[]`;
}

/** The type of a parameter. */
const given: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  inet: 'string',
  pg_snapshot: 'string',
  date: 'string',
  'timestamp with time zone': 'Date | string',
  smallint: 'number',
  integer: 'number',
  bigint: 'number | string',
  numeric: 'number | string',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  bytea: 'Uint8Array',
};

/** The types of the columns of a statement. */
const returned = ({ times }: TypedStatement): Readonly<Record<string, string>> => ({
  ...given,
  bigint: 'string',
  numeric: 'string',
  bytea: 'Buffer',
  'timestamp with time zone': times === 'text' ? 'string' : 'Date',
});

/** The types of its columns, each by itself. */
export function columnTypes(statement: TypedStatement): Record<string, string> {
  const types = returned(statement);
  return Object.fromEntries(statement.columns.map((column) => [column.name, columnType(column, types)]));
}

/** The type of a row. Columns that an outer join leaves out together are null together. */
function rowType(statement: TypedStatement): string {
  const { columns } = statement;
  if (columns.length === 0) return 'never';
  const types = returned(statement);
  const groups = joinGroups(columns);
  const apart = columns.filter((column) => !groups.some((group) => group.includes(column)));
  const whole = (column: DescribedColumn) => columnType(column, types);
  // A column of a row in which its join found another side.
  const present = (column: DescribedColumn) =>
    columnType({ ...column, absentWith: column.absentWith.slice(1) }, types);
  const parts = apart.length > 0 ? [objectType(apart, whole)] : [];
  for (const group of groups) {
    parts.push(`Joined<${objectType(group, present)}>`);
  }
  return parts.join(' & ');
}

function joinGroups(columns: readonly DescribedColumn[]): DescribedColumn[][] {
  const joins = distinct(
    columns.filter(({ absentWith }) => absentWith.length === 1).flatMap(({ absentWith }) => absentWith),
  );
  return joins
    .map((join) => columns.filter(({ absentWith }) => absentWith.includes(join)))
    .filter(
      (group) =>
        group.length > 1 &&
        group.some(({ isNullable, absentWith }) => !isNullable && absentWith.length === 1),
    );
}

function objectType(
  columns: readonly DescribedColumn[],
  typeOf: (column: DescribedColumn) => string,
): string {
  const properties = columns.map((column) => `readonly ${propertyName(column.name)}: ${typeOf(column)}`);
  return inLines('{ ', properties, ';', ' }');
}

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

function columnType(
  { type, isNullable, absentWith, texts }: DescribedColumn,
  types: Readonly<Record<string, string>>,
): string {
  if (texts?.length === 0) return 'null';
  const element = texts ? textsType(texts) : (types[type.replace('[]', '')] ?? 'unknown');
  const whole = type.endsWith('[]') ? `readonly ${inParentheses(element)}[]` : element;
  return isNullable || absentWith.length > 0 ? `${whole} | null` : whole;
}

/** What fits on a line, on one; else each on its own. */
function inLines(open: string, items: readonly string[], separator: string, close: string): string {
  const line = `${open}${items.join(`${separator} `)}${close}`;
  if (line.length <= 90) return line;
  return `${open.trim()}\n${items.map((item) => `      ${item}${separator}\n`).join('')}    ${close.trim()}`;
}

const textsType = (texts: readonly string[]): string => texts.map(quoted).join(' | ');

const inParentheses = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

const union = ([only = '', ...others]: readonly string[]): string =>
  others.length === 0
    ? ` ${only}`
    : [only, ...others].map((type) => `\n      | ${type.replaceAll('\n', '\n    ')}`).join('');

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
