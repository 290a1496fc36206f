import type { DescribedColumn, DescribedParameter, DescribedStatement } from './describe.ts';

/** A statement that is described, and how the service defines it. */
export interface TypedStatement extends DescribedStatement {
  /** What statements of one shape are known by together; default: the statement's name. */
  readonly like?: string | undefined;
  /** Whether the tenancy gives the first parameter. */
  readonly isScoped: boolean;
}

/** Writes the types of statements, for the file that a service commits: an interface with a property for each shape. */
export function renderStatementTypes(statements: readonly TypedStatement[]): string {
  const shapes = new Map<string, TypedStatement[]>();
  for (const one of statements) {
    const key = one.like ?? one.name;
    shapes.set(key, [...(shapes.get(key) ?? []), one]);
  }
  const lines = [...shapes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, members]) => `  ${quoted(name)}: {\n${shapeLines(members)}  };\n`);
  return `// What PostgreSQL says of the statements in this folder. Written by \`npm run statements\`, compared by the tests.
/** The values that each statement takes, and the rows that it answers. */
export interface Statements {
${lines.join('')}}
`;
}

function shapeLines(members: readonly TypedStatement[]): string {
  const values = distinct(members.map(valuesType));
  const rows = distinct(members.map(({ columns }) => rowType(columns)));
  return `    values: ${union(values)};\n    row: ${union(rows)};\n`;
}

function valuesType({ parameters, isScoped }: TypedStatement): string {
  const taken = new Set<string>();
  const values = parameters.slice(isScoped ? 1 : 0).map((parameter) => {
    let name = parameter.name;
    for (let number = 2; taken.has(name); number += 1) name = `${parameter.name}${number}`;
    taken.add(name);
    return `${name}: ${parameterType(parameter)}`;
  });
  return `[${values.join(', ')}]`;
}

function parameterType({ type, isNullable, isList, texts }: DescribedParameter): string {
  const isArray = type.endsWith('[]');
  const element = texts ? textsType(texts) : (given[type.replace('[]', '')] ?? 'unknown');
  if (!isArray) return isNullable ? `${element} | null` : element;
  return isList && isNullable ? `readonly (${element} | null)[]` : `readonly ${inParentheses(element)}[]`;
}

/** What a value is given as. */
const given: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  inet: 'string',
  date: 'string',
  'timestamp with time zone': 'Date | string',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number | string',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  bytea: 'Uint8Array',
};

/** What a value is answered as; timestamps as {@link given} by the pool, as text in ISO 8601. */
const answered: Readonly<Record<string, string>> = {
  ...given,
  'timestamp with time zone': 'string',
  bigint: 'string',
  numeric: 'string',
  bytea: 'Buffer',
};

/** The type of a row. Columns that an outer join leaves out together are null together. */
function rowType(columns: readonly DescribedColumn[]): string {
  if (columns.length === 0) return 'never';
  const groups = joinGroups(columns);
  const apart = columns.filter((column) => !groups.some((group) => group.includes(column)));
  const parts = apart.length > 0 ? [objectType(apart, columnType)] : [];
  for (const group of groups) {
    parts.push(`(${objectType(group, presentType)} | ${objectType(group, () => 'null')})`);
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

const objectType = (
  columns: readonly DescribedColumn[],
  typeOf: (column: DescribedColumn) => string,
): string =>
  `{ ${columns.map((column) => `readonly ${propertyName(column.name)}: ${typeOf(column)}`).join('; ')} }`;

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** A column of a row in which its join found another side. */
function presentType(column: DescribedColumn): string {
  return columnType({ ...column, absentWith: column.absentWith.slice(1) });
}

function columnType({ type, isNullable, absentWith, texts }: DescribedColumn): string {
  if (texts?.length === 0) return 'null';
  const element = texts ? textsType(texts) : (answered[type.replace('[]', '')] ?? 'unknown');
  const whole = type.endsWith('[]') ? `readonly ${inParentheses(element)}[]` : element;
  return isNullable || absentWith.length > 0 ? `${whole} | null` : whole;
}

const textsType = (texts: readonly string[]): string => texts.map(quoted).join(' | ');

const inParentheses = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

const union = (types: readonly string[]): string => types.join('\n      | ');

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
