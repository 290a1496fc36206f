import pg from 'pg';
import { TenancyError } from '../errors.ts';
import { transactionOf, type Errand } from '../errand.ts';
import type { OpenTransaction, Savepoint } from '../open-transaction.ts';
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
    if (errand.transaction !== undefined) return new ModelPart(this.#pool, errand);
    const { transactionMs: limitMs } = this.#pool.timeouts;
    return new ModelTransaction(await this.#pool.connections.begin(errand.binding, { limitMs }), errand);
  }

  get #errand(): Errand {
    const { errand } = this.#pool;
    if (errand?.isModelCall === true) return errand;
    throw new TenancyError('SCOPE_REQUIRED', 'Prisma queries by calls of the models of a scope alone.');
  }
}

/** The client of a call of several queries. */
abstract class ModelClient {
  abstract begin(): void;
  abstract commit(): Promise<void> | void;
  abstract rollback(): Promise<void>;
  abstract ask(query: Query): Promise<Answer>;
  abstract release(): void;

  async query(query: ModelQuery): Promise<Answer> {
    if (query.text === 'BEGIN') this.begin();
    else if (query.text === 'COMMIT') await this.commit();
    else if (query.text === 'ROLLBACK') await this.rollback();
    else return this.ask(queryOf(query));
    return { rows: [], fields: [], rowCount: 0, command: query.text };
  }

  /** The pool handles broken connections. */
  on(): this {
    return this;
  }

  removeListener(): this {
    return this;
  }
}

/** A call by itself is a transaction. */
class ModelTransaction extends ModelClient {
  readonly #transaction: OpenTransaction;
  readonly #errand: Errand;

  constructor(transaction: OpenTransaction, errand: Errand) {
    super();
    this.#transaction = transaction;
    this.#errand = errand;
  }

  override begin(): void {
    // It begins with its first statement.
  }

  override commit(): Promise<void> {
    return this.#transaction.commit();
  }

  override rollback(): Promise<void> {
    return this.#transaction.rollback();
  }

  override async ask(query: Query): Promise<Answer> {
    return readable(await this.#transaction.ask(this.#errand.binding, query));
  }

  override release(): void {
    this.#transaction.giveBack();
  }
}

/** A call in an open transaction is a part of it. */
class ModelPart extends ModelClient {
  readonly #pool: TenantPool;
  readonly #errand: Errand;
  #part: Savepoint | undefined;

  constructor(pool: TenantPool, errand: Errand) {
    super();
    this.#pool = pool;
    this.#errand = errand;
  }

  override begin(): void {
    this.#part = transactionOf(this.#errand).savepoint();
  }

  override commit(): void {
    if (this.#part) transactionOf(this.#errand).release(this.#part);
  }

  override async rollback(): Promise<void> {
    if (this.#part) await transactionOf(this.#errand).rollbackTo(this.#part);
  }

  override ask(query: Query): Promise<Answer> {
    return this.#pool.ask(this.#errand, query);
  }

  override release(): void {
    // The connection is the transaction's.
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
