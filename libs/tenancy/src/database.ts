import type { PrismaPg } from '@prisma/adapter-pg';
import { adapterOn } from './models/model-queries.ts';
import { ScopedModels, type PrismaClientLike, type PrismaNamespace } from './models/scoped-models.ts';
import { TenantPool, type TenantPoolOptions } from './pool.ts';
import { readable } from './protocol/query.ts';
import { Replica, type ReplicaOptions } from './replica/replica.ts';
import type { TenantScope } from './rows.ts';
import { bindingOf, unbound, type NoScope, type Scope } from './scope.ts';
import { ScopeRows, type AskFirst, type RowSource } from './scoped-rows.ts';

/** Options of {@link TenantDatabase}. */
export interface TenantDatabaseOptions extends TenantPoolOptions {
  /** The `Prisma` namespace of the generated client: it tells which models have an organization. */
  readonly models: PrismaNamespace;
  /** Models without an owner, each with the reason why: `{ Country: 'the same for everyone' }`. */
  readonly unscoped?: Readonly<Record<string, string>>;
  /** Makes the client on the pool's adapter. */
  readonly prisma: (adapter: PrismaPg) => PrismaClientLike;
  /** A replica of the database, for {@link TenantDatabase.recent}. */
  readonly replica?: ReplicaOptions | undefined;
}

const tryLock = {
  name: 'tenancy-lock',
  text: 'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS "isLocked"',
};

/**
 * A service's database, reached through a scope: the only way to tenant rows, for statements and Prisma over one
 * {@link TenantPool}.
 *
 * @example
 * const database = new TenantDatabase({
 *   connectionString: config.DATABASE_URL,
 *   models: Prisma,
 *   prisma: (adapter) => new PrismaClient({ adapter }),
 * });
 * const rows = await database.within({ organizationId }).query(leadById, [id]);
 */
export class TenantDatabase {
  /** For health, migrations and the catalog. Tenant policies raise here. */
  readonly pool: TenantPool;
  /** The replica, if configured. It is not used until it is started. */
  readonly replica: Replica | undefined;
  /** The rows of unscoped tables, outside of any scope. Tenant policies raise here. */
  readonly unscoped: TenantScope<NoScope>;
  readonly #source: RowSource;
  readonly #client: PrismaClientLike;

  constructor(options: TenantDatabaseOptions) {
    const { models, unscoped = {}, replica } = options;
    const pool = new TenantPool(options);
    const client = options.prisma(adapterOn(pool));
    this.pool = pool;
    this.replica = replica && new Replica(pool, { ...options, ...replica });
    this.#source = { pool, models: new ScopedModels({ client, pool, models, unscoped }) };
    this.#client = client;
    this.unscoped = new ScopeRows<NoScope>({}, unbound, this.#source);
  }

  /** The rows of an organization, of a user, or of a user in an organization. */
  within<S extends Scope>(scope: S): TenantScope<S> {
    return new ScopeRows(scope, bindingOf(scope), this.#source);
  }

  /**
   * The same rows for lists, searches and statistics: a statement may be answered by the replica, and show what was a
   * second ago. Prisma, transactions and batches keep to the primary.
   *
   * @param token one that {@link Replica.token} gave: what was committed before it is shown
   */
  recent<S extends Scope>(scope: S, token?: string): TenantScope<S> {
    const { replica } = this;
    const askFirst: AskFirst | undefined =
      replica && ((binding, queries) => replica.query(binding, queries, token));
    return new ScopeRows(scope, bindingOf(scope), this.#source, askFirst);
  }

  /**
   * Runs `work` while this instance alone does, and gives its result; undefined at once where another one is at it. `work`
   * runs in no transaction. It keeps a connection, so let it be short.
   *
   * The lock belongs to a transaction, so that it also holds behind a pooler; it takes no snapshot, so that vacuum continues
   * beside it.
   */
  async exclusively<Result>(lock: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const transaction = await this.pool.begin(unbound, { limitMs: Infinity, use: 'connection' });
    try {
      const { rows } = readable(await transaction.ask(unbound, { ...tryLock, values: [lock] }));
      const [row] = rows as { isLocked: boolean }[];
      return row?.isLocked === true ? await work() : undefined;
    } finally {
      await transaction.rollback();
      transaction.giveBack();
    }
  }

  /** Resolves when the database responds; rejects when it is down. For health checks. */
  check(): Promise<void> {
    return this.pool.check();
  }

  async close(): Promise<void> {
    await this.#client.$disconnect();
    await this.replica?.close();
    await this.pool.end();
  }
}
