import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { ExplainedError } from '../explained-error.ts';
import { Pool, type DatabaseError, type QueryConfig, type QueryResult } from 'pg';

/** The connection an engine works on. */
export type Session = Pick<CatalogPool, 'query' | 'lastError'>;

/**
 * Runs work with Prisma's own schema engine, compiled to WebAssembly: the one that the `prisma migrate` commands use, without
 * the native binary they download. Engine and `session` share one connection, so that a lock taken on the session covers what
 * the engine does.
 *
 * @throws ExplainedError with the engine's message, if it fails.
 */
export async function withSchemaEngine<T>(
  { url, schema }: { url: string; schema: SchemasContainer },
  work: (engine: SchemaEngine, session: Session) => Promise<T>,
): Promise<T> {
  await (loaded ??= load());
  // Never idle out: a session's locks end with its connection.
  const session = new CatalogPool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 60_000,
  });
  session.on('error', () => undefined);
  const adapters = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(session));
  const datamodels = schema.files.map(({ path, content }): [string, string] => [path, content]);
  try {
    const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapters);
    return await work(engine, session).finally(() => engine.free());
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'SchemaConnectorError') throw error;
    // The message is followed by a trace of the engine's own source.
    throw new ExplainedError(message.split(/\n\s+0: /)[0]?.trim(), { cause: error });
  } finally {
    await session.end();
  }
}

/** Prisma's adapter, extended for migrations and catalogs. */
class MigrationAdapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    // The adapter splits a script at every semicolon, even inside function bodies. PostgreSQL accepts a whole script, and rolls
    // all of it back when one statement fails.
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
 * Records PostgreSQL's own errors, and passes the internal one-byte type "char", which the catalogs use a lot, around Prisma's
 * adapter: the adapter refuses it and the engine requires it, so it is sent as text and renamed after the adapter.
 */
class CatalogPool extends Pool {
  /** Its message, its code and the position in the script. */
  lastError: DatabaseError | undefined;

  override query = (async (...statement: [QueryConfig]) => {
    try {
      const result = (await super.query(...statement)) as QueryResult | QueryResult[];
      return Array.isArray(result) ? result : withCharAsText(result);
    } catch (error) {
      this.lastError = error as DatabaseError;
      throw error;
    }
  }) as unknown as Pool['query'];
}

function withCharAsText(result: QueryResult): QueryResult {
  const columns: number[] = [];
  for (const [column, field] of result.fields.entries()) {
    if (field.dataTypeID !== charOid) continue;
    field.dataTypeID = textOid;
    columns.push(column);
  }
  charColumns.set(result.rows, columns);
  return result;
}

// TypeScript describes WebAssembly only together with the browser.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: object } }>;
};

let loaded: Promise<void> | undefined;

// The package's entry imports the .wasm file as a module, which Node cannot do yet without a flag.
async function load(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const bytes = await readFile(new URL('./schema_engine_bg.wasm', pathToFileURL(file)));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports() });
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: panic } });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
}

// The engine never clears the timer of its lock, which would keep a finished program alive for 10 seconds.
function imports(): Record<string, unknown> {
  const setTimer = (callback: () => void, milliseconds: number) =>
    setTimeout(callback, milliseconds >>> 0).unref();
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [
      name,
      name.startsWith('__wbg_setTimeout_') ? setTimer : value,
    ]),
  );
}

// The engine names the cause here and then traps; the trap itself says only "unreachable".
function panic(message: string): never {
  throw new Error(`Prisma's schema engine broke down: ${message}`);
}
