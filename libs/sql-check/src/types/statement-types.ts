import { Client } from 'pg';
import type { StatementText } from '../statement-text.ts';
import { describeStatements, type DescribedStatement } from './describe.ts';
import { columnTypes, renderStatementTypes, type TypedStatement } from './typescript.ts';

/**
 * The types of a project's statements, as it commits them in `src/statements.types.ts`.
 *
 * @param url a migrated database, as its owner or the superuser
 * @param statements all that are defined; those of other projects are left out
 */
export async function statementTypes(
  url: string,
  project: string,
  statements: readonly StatementText[],
): Promise<string> {
  const own = statements.filter(({ described }) => described?.project === project);
  return renderStatementTypes(await typed(url, own));
}

/** The types of a row's columns, in TypeScript. */
export type RowTypes = Readonly<Record<string, string>>;

/**
 * The types that statements are committed with, column by column.
 *
 * @param url a migrated database, as its owner or the superuser
 */
export async function rowTypes(
  url: string,
  statements: readonly StatementText[],
): Promise<Map<string, RowTypes>> {
  return new Map((await typed(url, statements)).map((one) => [one.name, columnTypes(one)]));
}

async function typed(url: string, statements: readonly StatementText[]): Promise<TypedStatement[]> {
  const described = await describedAt(url, statements);
  return described.map((one, index) => {
    const { described: { like } = {}, owner, times } = statements[index] as StatementText;
    return { ...one, like, isScoped: owner !== 'unscoped', times };
  });
}

async function describedAt(
  url: string,
  statements: readonly StatementText[],
): Promise<readonly DescribedStatement[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  // If the server goes away, the running query fails; without a listener the process would end.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await describeStatements(client, statements);
  } finally {
    await client.end();
  }
}

/** Names the columns of a row whose values are not of their types. */
export function misfits(row: Readonly<Record<string, unknown>>, types: RowTypes): string[] {
  return Object.entries(row)
    .filter(([column, value]) => !fits(value, types[column] ?? 'no column'))
    .map(([column, value]) => `${column} is ${kindOf(value)} and not ${types[column] ?? 'answered'}`);
}

function fits(value: unknown, type: string): boolean {
  const some = type.split(' | ');
  if (some.includes('unknown')) return true;
  const list = /^readonly \(?(.*?)\)?\[\]( \| null)?$/.exec(type);
  if (Array.isArray(value)) return value.every((one) => fits(one, list?.[1] ?? 'no list'));
  return some.includes(kindOf(value)) || (typeof value === 'string' && some.includes(`'${value}'`));
}

function kindOf(value: unknown): string {
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  return value === null ? 'null' : typeof value;
}
