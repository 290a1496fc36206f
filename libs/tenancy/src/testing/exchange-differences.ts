import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { exchange } from '../protocol/exchange.ts';
import type { Answer, Query } from '../protocol/query.ts';
import { settings } from '../scope.ts';
import type { Statement } from '../statement.ts';

/** What {@link exchangeDifferences} runs on: a pool of the service's role. */
export interface ComparedPool {
  connect(): Promise<PoolClient>;
}

/**
 * Runs statements by exchange and by plain `pg`, without values, and names those whose answers differ: in columns, in the types
 * of their values, in rows, or in the error. Each is undone.
 *
 * An empty list is what a service's test expects of its own statements, once its modules are loaded.
 */
export async function exchangeDifferences(
  pool: ComparedPool,
  statements: readonly Statement<unknown, never>[],
): Promise<string[]> {
  const client = await pool.connect();
  try {
    const differences: string[] = [];
    for (const statement of statements) {
      const query = queryWithoutValues(statement);
      const plain = await undone(client, () => byPlainPg(client, query));
      for (const times of ['the first time', 'once it is prepared']) {
        const own = await undone(client, () => byExchange(client, query));
        if (own !== plain) differences.push(`${statement.name}, ${times}: ${own} and not ${plain}`);
      }
    }
    return differences;
  } finally {
    client.release();
  }
}

function queryWithoutValues({ name, text, owner }: Statement<unknown, never>): Query {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const values: (string | null)[] = new Array<null>(count).fill(null);
  if (owner !== 'unscoped') values[0] = randomUUID();
  return { name, text, values };
}

async function undone(client: PoolClient, work: () => Promise<string>): Promise<string> {
  const scope = settings.map((name) => `set_config('${name}', '${randomUUID()}', true)`);
  await client.query(`BEGIN; SELECT ${scope.join(', ')}`);
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

async function byPlainPg(client: PoolClient, { text, values = [] }: Query): Promise<string> {
  const result = await client
    .query<Record<string, unknown>>({ text, values: [...values] })
    .catch((error: unknown) => error as Error);
  return result instanceof Error
    ? describeError(result)
    : describe({ ...result, rowCount: result.rowCount ?? 0 });
}

async function byExchange(client: PoolClient, query: Query): Promise<string> {
  const { answers, error } = await exchange(client, [query], { answerMs: 10_000 });
  const [answer] = answers;
  return answer ? describe(answer) : describeError(error);
}

function describe({ rows, fields, rowCount }: Pick<Answer, 'rows' | 'fields' | 'rowCount'>): string {
  const columns = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`);
  const kinds = (rows as Record<string, unknown>[]).map((row) =>
    Object.entries(row).map(([name, value]) => `${name} ${Object.prototype.toString.call(value)}`),
  );
  return JSON.stringify({ columns, rowCount, rows: kinds });
}

const describeError = (error: unknown): string => {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return `${code ?? ''} ${message ?? ''}`;
};
