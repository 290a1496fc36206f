import type { Client } from 'pg';

/** A column of a table. */
export interface CatalogColumn {
  readonly table: string;
  readonly name: string;
  readonly notNull: boolean;
  /** The values that a CHECK constraint allows for it, or for each of its elements. */
  readonly allowed: readonly string[] | undefined;
}

/** What the types of statements depend on besides their texts. */
export interface Catalog {
  readonly column: (table: number, position: number) => CatalogColumn | undefined;
  /** The name of a type, such as `text` or, for an array of it, `text[]`. */
  readonly typeName: (type: number) => string;
  /** How a function or aggregate handles null. */
  readonly functionOf: (id: number) => CatalogFunction | undefined;
}

/** A function. */
export interface CatalogFunction {
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** Null for any null argument, without being called. */
  readonly isStrict: boolean;
}

/** Reads tables, types and functions from the catalog. */
export async function readCatalog(client: Client): Promise<Catalog> {
  const columns = await readColumns(client);
  const types = new Map<number, string>();
  const { rows } = await client.query<{ id: number; name: string }>(
    'SELECT oid::int AS id, format_type(oid, NULL) AS name FROM pg_type',
  );
  for (const { id, name } of rows) types.set(id, name);
  const functions = await readFunctions(client);
  return {
    column: (table, position) => columns.get(`${table}.${position}`),
    typeName: (type) => types.get(type) ?? 'unknown',
    functionOf: (id) => functions.get(id),
  };
}

async function readColumns(client: Client): Promise<Map<string, CatalogColumn>> {
  const { rows } = await client.query<{
    key: string;
    table: string;
    name: string;
    notNull: boolean;
    check: string | null;
  }>(`
    SELECT format('%s.%s', c.oid::int, a.attnum) AS key, c.relname AS table, a.attname AS name, a.attnotnull AS "notNull", (
      SELECT string_agg(pg_get_constraintdef(k.oid), '') FROM pg_constraint k
      WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) ~ 'ARRAY\\['
    ) AS check
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`);
  return new Map(rows.map(({ key, check, ...column }) => [key, { ...column, allowed: allowedBy(check) }]));
}

/** The texts of `status = ANY (ARRAY['new'::text, …])`, or of `factors <@ ARRAY[…]`. */
function allowedBy(check: string | null): readonly string[] | undefined {
  const list = check && /(?:= ANY|<@) \(?ARRAY\[((?:'(?:[^']|'')*'::text(?:, )?)+)\]\)?\)+$/.exec(check)?.[1];
  if (!list) return undefined;
  return [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, text = '']) => text.replaceAll("''", "'"));
}

async function readFunctions(client: Client): Promise<Map<number, CatalogFunction>> {
  const { rows } = await client.query<CatalogFunction & { id: number }>(`
    SELECT oid::int AS id, proname AS name, pronamespace = 'pg_catalog'::regnamespace AS "isBuiltIn", proisstrict AS "isStrict"
    FROM pg_proc`);
  return new Map(rows.map(({ id, ...one }) => [id, one]));
}
