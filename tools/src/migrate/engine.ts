import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool, type QueryConfig, type QueryResult } from 'pg';

/**
 * Runs work with Prisma's own schema engine, compiled to WebAssembly: what the `prisma migrate` commands use,
 * without the native binary they download. It is connected to the database of `url` on one connection.
 */
export async function withSchemaEngine<T>(
  { url, schema }: { url: string; schema: SchemasContainer },
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await (loaded ??= load());
  const pool = new CatalogPool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined);
  const adapters = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool));
  const datamodels = schema.files.map(({ path, content }): [string, string] => [path, content]);
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapters);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Prisma's adapter with what migrations and the catalogs need beyond it. */
class MigrationAdapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    // It cuts a script at every semicolon, through the bodies of functions too. PostgreSQL itself takes
    // a script whole, and rolls all of it back when one statement fails.
    adapter.executeScript = async (sql) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of charColumns.get(result.rows) ?? []) {
        result.columnTypes[column] = ColumnTypeEnum.Character;
      }
      return result;
    };
    return adapter;
  }
}

const charOid = 18;
const textOid = 25;
const charColumns = new WeakMap<unknown[], number[]>();

/**
 * The adapter refuses PostgreSQL's internal one-byte "char", of which the catalogs are full, and the engine
 * insists on it: it passes the adapter as text and is named again behind it.
 */
class CatalogPool extends Pool {
  override query = (async (statement: QueryConfig) => {
    const result = (await super.query(statement)) as QueryResult | QueryResult[];
    if (Array.isArray(result)) return result;
    charColumns.set(
      result.rows,
      result.fields.flatMap((field, column) => (field.dataTypeID === charOid ? [column] : [])),
    );
    for (const field of result.fields) if (field.dataTypeID === charOid) field.dataTypeID = textOid;
    return result;
  }) as unknown as Pool['query'];
}

/** Where the engine leaves the message of a panic before it traps. */
const panic = { message: '' };
Object.assign(globalThis, {
  PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => (panic.message = message) },
});

// TypeScript describes WebAssembly only together with the browser.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: object } }>;
};

let loaded: Promise<void> | undefined;

// The package's entry imports the .wasm file as a module, which Node cannot do yet without a flag.
async function load(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const bytes = await readFile(new URL('./schema_engine_bg.wasm', `file://${file}`));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
}
