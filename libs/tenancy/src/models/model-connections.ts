import pg from 'pg';
import { TenancyError } from '../errors.ts';
import { transactionOf, type Errand } from '../errand.ts';
import type { Savepoint } from '../open-transaction.ts';
import type { TenantPool } from '../pool.ts';
import { readable, valuesOf, type Answer, type Query } from '../protocol/query.ts';

/** A query as Prisma's adapter hands it over. */
interface ModelQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: { getTypeParser(dataTypeID: number, format: 'text'): (text: string) => unknown };
}

/**
 * The connections that Prisma's adapter is given. It opens none itself: a query runs where the call that it belongs to was made,
 * in the open transaction or by itself. A call of several queries is one transaction, or a part of the open one.
 */
export class ModelConnections extends pg.Pool {
  readonly #pool: TenantPool;

  constructor(pool: TenantPool) {
    super();
    this.#pool = pool;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- one signature cannot satisfy pg's overloads
  override query(query: any): any {
    const errand = this.#errand;
    const asked = queryOf(query as ModelQuery);
    if (errand.transaction === undefined) return this.#pool.run(errand.binding, asked);
    return this.#pool.ask(errand, asked);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- what Prisma makes use of
  override async connect(): Promise<any> {
    const errand = this.#errand;
    const isPart = errand.transaction !== undefined;
    return new ModelClient(isPart ? this.#partOf(errand) : await this.#transactionFor(errand));
  }

  /** A call by itself is a transaction, which begins with its first statement. */
  async #transactionFor({ binding }: Errand): Promise<CallTransaction> {
    const { transactionMs: limitMs } = this.#pool.timeouts;
    const transaction = await this.#pool.connections.begin(binding, { limitMs });
    return {
      begin: () => undefined,
      commit: () => transaction.commit(),
      rollback: () => transaction.rollback(),
      ask: async (query) => readable(await transaction.ask(binding, query)),
      release: () => transaction.giveBack(),
    };
  }

  /** A call in an open transaction is a part of it, on its connection. */
  #partOf(errand: Errand): CallTransaction {
    let part: Savepoint | undefined;
    return {
      begin: () => void (part = transactionOf(errand).savepoint()),
      commit: () => part && transactionOf(errand).release(part),
      rollback: async () => part && transactionOf(errand).rollbackTo(part),
      ask: (query) => this.#pool.ask(errand, query),
      release: () => undefined,
    };
  }

  get #errand(): Errand {
    const { errand } = this.#pool;
    if (errand?.isModelCall === true) return errand;
    throw new TenancyError('SCOPE_REQUIRED', 'Prisma queries by calls of the models of a scope alone.');
  }
}

/** The transaction of a call of several queries. */
interface CallTransaction {
  begin(): void;
  commit(): Promise<void> | void;
  rollback(): Promise<void>;
  ask(query: Query): Promise<Answer>;
  release(): void;
}

/** The client that Prisma's adapter is given for such a call. */
class ModelClient {
  readonly #call: CallTransaction;

  constructor(call: CallTransaction) {
    this.#call = call;
  }

  async query(query: ModelQuery): Promise<Answer> {
    if (query.text === 'BEGIN') this.#call.begin();
    else if (query.text === 'COMMIT') await this.#call.commit();
    else if (query.text === 'ROLLBACK') await this.#call.rollback();
    else return this.#call.ask(queryOf(query));
    return { rows: [], fields: [], rowCount: 0, command: query.text };
  }

  release(): void {
    this.#call.release();
  }

  /** The pool handles broken connections. */
  on(): this {
    return this;
  }

  removeListener(): this {
    return this;
  }
}

/** Prepared texts, by the names that they get here; bounded, because calls with lists of every length are different texts. */
const names = new Map<string, string>();
const namesMax = 500;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `prisma-${names.size + 1}`;
  names.set(text, name);
  return name;
}

function queryOf({ text, values, types }: ModelQuery): Query {
  const parserOf = (dataTypeID: number) => types.getTypeParser(dataTypeID, 'text');
  return { name: nameOf(text), text, values: valuesOf(values), form: { as: 'arrays', parserOf } };
}
