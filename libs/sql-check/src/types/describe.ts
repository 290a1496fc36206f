import type { Client } from 'pg';
import { readCatalog, type Catalog } from './catalog.ts';
import { outputFact, type Fact } from './facts.ts';
import { isList, isNode, readNodeTree, textIn, type Node, type Value } from './node-tree.ts';
import { parameterFacts, type ParameterFact } from './parameters.ts';
import { enterStatement, outputsOf } from './query-scope.ts';

/** PostgreSQL's description of a statement. */
export interface DescribedStatement {
  readonly name: string;
  readonly parameters: readonly DescribedParameter[];
  readonly columns: readonly DescribedColumn[];
}

/** One parameter, in the order of their numbers. */
export interface DescribedParameter extends ParameterFact {
  /** As PostgreSQL names it: `timestamp with time zone`. */
  readonly type: string;
}

/** One column of the result. */
export interface DescribedColumn extends Pick<Fact, 'isNullable' | 'absentWith' | 'texts'> {
  readonly name: string;
  readonly type: string;
}

/**
 * Describes statements: types come from PREPARE, nullability from the analysed query, as stored for a function body. Nothing is
 * executed.
 *
 * @param client of a role that owns the migrated database, such as the superuser of a scratch database
 * @throws {Error} that names a statement which PostgreSQL refuses
 */
export async function describeStatements(
  client: Client,
  statements: readonly { readonly name: string; readonly text: string }[],
): Promise<DescribedStatement[]> {
  const catalog = await readCatalog(client);
  const described: DescribedStatement[] = [];
  for (const { name, text } of statements) {
    try {
      described.push(describe(name, await analyse(client, text), catalog));
    } catch (error) {
      throw new Error(`The statement ${name} cannot be described.`, { cause: error });
    }
  }
  return described;
}

async function analyse(client: Client, text: string) {
  await client.query('BEGIN');
  try {
    await client.query(`PREPARE described AS ${text}`);
    const { rows } = await client.query<{ parameterTypes: string[]; columnTypes: string[] | null }>(`
      SELECT parameter_types::text[] AS "parameterTypes", result_types::text[] AS "columnTypes"
      FROM pg_prepared_statements WHERE name = 'described'`);
    const { parameterTypes = [], columnTypes } = rows[0] ?? {};
    await client.query(`
      CREATE FUNCTION pg_temp.described(${parameterTypes.join(', ')}) RETURNS void BEGIN ATOMIC ${text}; END`);
    const body = await client.query<{ tree: string }>(
      `SELECT prosqlbody::text AS tree FROM pg_proc WHERE proname = 'described' AND pronamespace = pg_my_temp_schema()`,
    );
    const query = firstQuery(readNodeTree(body.rows[0]?.tree ?? ''));
    if (!query) throw new Error('Its body holds no query.');
    return { parameterTypes, columnTypes: columnTypes ?? [], query };
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}

function firstQuery(tree: Value): Node | undefined {
  if (isNode(tree, 'QUERY')) return tree;
  return isList(tree) ? tree.map(firstQuery).find((one) => one !== undefined) : undefined;
}

function describe(
  name: string,
  { parameterTypes, columnTypes, query }: Awaited<ReturnType<typeof analyse>>,
  catalog: Catalog,
): DescribedStatement {
  const parameterOf = parameterFacts(query, catalog);
  const parameterIsNullable = (id: number) => parameterOf(id).isNullable;
  const scope = enterStatement(query, { catalog, parameterIsNullable });
  return {
    name,
    parameters: parameterTypes.map((type, index) => ({ ...parameterOf(index + 1), type })),
    columns: outputsOf(query).map((output, index) => {
      const { isNullable, absentWith, texts } = outputFact(index + 1, scope);
      return {
        name: textIn(output, 'resname'),
        type: columnTypes[index] ?? 'unknown',
        isNullable,
        absentWith,
        texts,
      };
    }),
  };
}
