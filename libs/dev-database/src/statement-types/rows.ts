import { connected } from '../databases.ts';
import { describeStatements } from './describe.ts';
import type { StatementText } from './statement-types.ts';
import { columnTypes } from './typescript.ts';

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
  const described = await connected(url, (client) => describeStatements(client, statements));
  return new Map(
    described.map((one, index) => [
      one.name,
      columnTypes({ ...one, isScoped: false, times: statements[index]?.times }),
    ]),
  );
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
