import { PrismaPg } from '@prisma/adapter-pg';
import { exclusively } from './locks.ts';
import { ModelConnections } from './models/model-connections.ts';
import { ScopedModels, type PrismaClientLike, type PrismaNamespace } from './models/scoped-models.ts';
import { TenantPool, type TenantPoolOptions } from './pool.ts';
import { Replica, type ReplicaOptions } from './replica/replica.ts';
import type { TenantScope } from './rows.ts';
import { ScopeRows } from './scope-rows.ts';
import { bindingOf, unbound, type NoScope, type Scope } from './scope.ts';

/** What {@link createTenantDatabase} is made of. */
export interface TenantDatabaseOptions<Client extends PrismaClientLike> extends TenantPoolOptions {
  /** The `Prisma` namespace of the generated client: it tells which models have an organization. */
  readonly models: PrismaNamespace;
  /** Models without an owner, each with the reason why: `{ Country: 'the same for everyone' }`. */
  readonly unscoped?: Readonly<Record<string, string>>;
  /** Makes the client on the pool's adapter. */
  readonly prisma: (adapter: PrismaPg) => Client;
  /** A replica of the database, for {@link TenantDatabase.recent}. */
  readonly replica?: ReplicaOptions | undefined;
}

/** A service's database, reached through a scope. */
export interface TenantDatabase<Client> {
  /** The rows of an organization, of a user, or of a user in an organization. */
  within<S extends Scope>(scope: S): TenantScope<Client, S>;
  /**
   * The same rows for lists, searches and statistics: a statement may be answered by the replica, and show what was a
   * second ago. Prisma, transactions and batches keep to the primary.
   *
   * @param token one that {@link Replica.token} gave: what was committed before it is shown
   */
  recent<S extends Scope>(scope: S, token?: string): TenantScope<Client, S>;
  /** Where there is one. It answers nothing until it is started. */
  readonly replica?: Replica;
  /** The rows of unscoped tables, outside of any scope. Tenant policies raise here. */
  readonly unscoped: TenantScope<Client, NoScope>;
  /**
   * Runs `work` while this instance alone does, and gives its result; undefined at once where another one is at it. `work`
   * runs in no transaction. It keeps a connection, so let it be short.
   */
  exclusively<Result>(lock: string, work: () => Promise<Result>): Promise<Result | undefined>;
  /** For health, migrations and the catalog. Tenant policies raise here. */
  readonly pool: TenantPool;
  /** Resolves when the database answers; rejects when it is down. For health checks. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the only road to tenant rows: statements and Prisma over one {@link TenantPool}.
 *
 * @example
 * const database = createTenantDatabase({
 *   connectionString: config.DATABASE_URL,
 *   models: Prisma,
 *   prisma: (adapter) => new PrismaClient({ adapter }),
 * });
 * const rows = await database.within({ organizationId }).query(leadById, [id]);
 */
export function createTenantDatabase<Client extends PrismaClientLike>(
  options: TenantDatabaseOptions<Client>,
): TenantDatabase<Client> {
  const pool = new TenantPool(options);
  const client = options.prisma(new PrismaPg(new ModelConnections(pool)));
  const { models, unscoped = {} } = options;
  const road = { pool, models: new ScopedModels({ client, pool, models, unscoped }) };
  const replica = options.replica && new Replica(pool, { ...options, ...options.replica });

  return {
    pool,
    ...(replica && { replica }),
    within: (scope) => new ScopeRows(scope, bindingOf(scope), road),
    recent: (scope, token) =>
      new ScopeRows(
        scope,
        bindingOf(scope),
        road,
        replica && ((binding, queries) => replica.query(binding, queries, token)),
      ),
    unscoped: new ScopeRows<Client, NoScope>({}, unbound, road),
    exclusively: (lock, work) => exclusively(pool.connections, lock, work),
    check: () => pool.check(),
    async close() {
      await client.$disconnect();
      await replica?.close();
      await pool.end();
    },
  };
}
