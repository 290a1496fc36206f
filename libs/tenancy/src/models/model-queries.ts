import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { TenancyError } from '../errors.ts';
import { transactionOf, type Errand } from '../errand.ts';
import type { TenantPool } from '../pool.ts';
import { readable, valuesOf, type Answer } from '../protocol/query.ts';

/** A query as Prisma's adapter hands it over. */
interface ModelQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: { getTypeParser(dataTypeID: number, format: 'text'): (text: string) => unknown };
}

/** Prisma's own adapter, on the connections of a pool: a query runs where the call of its model was made. */
export function adapterOn(pool: TenantPool): PrismaPg {
  return new PrismaPg(new ModelQueries(pool), { statementNameGenerator: ({ sql }) => nameOf(sql) });
}

/** What the adapter is given for a pool. A call is one query, in the open transaction or by itself: it takes no connection. */
class ModelQueries extends pg.Pool {
  readonly #pool: TenantPool;

  constructor(pool: TenantPool) {
    super();
    this.#pool = pool;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- one signature cannot satisfy pg's overloads
  override query(query: any): any {
    return this.#run(query as ModelQuery);
  }

  override async connect(): Promise<never> {
    requireCall(this.#pool);
    throw new TenancyError(
      'OPERATION_REFUSED',
      'A call of a model has to be one query. Use a transaction().',
    );
  }

  async #run({ name, text, values, types }: ModelQuery): Promise<Answer> {
    const errand = requireCall(this.#pool);
    const parserOf = (dataTypeID: number) => types.getTypeParser(dataTypeID, 'text');
    const query = { name, text, values: valuesOf(values), form: { as: 'arrays', parserOf } } as const;
    if (!errand.transaction) return this.#pool.ask(errand.binding, query);
    return readable(await transactionOf(errand).ask(errand.binding, query));
  }
}

function requireCall({ errand }: TenantPool): Errand {
  if (errand?.isModelCall === true) return errand;
  throw new TenancyError('SCOPE_REQUIRED', 'Prisma queries by calls of the models of a scope alone.');
}

/** The names under which texts are prepared; bounded, because calls with lists of every length are different texts. */
const names = new Map<string, string>();
const namesMax = 500;

/** '' prepares nothing. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known ?? '';
  const name = `prisma-${names.size + 1}`;
  names.set(text, name);
  return name;
}
