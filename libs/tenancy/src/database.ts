import { PrismaPg } from '@prisma/adapter-pg';
import { openScope, type TransactionalPrisma } from './open-scope.ts';
import { TenantPool, type TenantPoolOptions } from './pool.ts';
import { createReplica, type Replica, type ReplicaOptions } from './replica/replica.ts';
import type { TenantScope, UnscopedRows } from './rows.ts';
import { unbound, type Scope } from './scope.ts';
import { tenantQueries, type PrismaNamespace } from './tenant-queries.ts';

/** What every generated Prisma client has. */
export interface PrismaClientLike {
  $extends(extension: never): unknown;
  $transaction(work: never, options?: never): Promise<unknown>;
  $disconnect(): Promise<void>;
}

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
  readonly unscoped: UnscopedRows;
  /** For health, migrations, catalog and locks. Tenant policies raise here. */
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
  const client = options.prisma(new PrismaPg(pool));
  const { models, unscoped = {} } = options;
  const currentScope = () => pool.errand?.scope;
  const prisma = client.$extends(
    tenantQueries({ models, unscoped, currentScope }) as never,
  ) as TransactionalPrisma<Client>;

  const replica = options.replica && createReplica(pool, { ...options, ...options.replica });

  return {
    pool,
    ...(replica && { replica }),
    within: (scope) => openScope(scope, { pool, prisma }),
    recent: (scope, token) =>
      openScope(scope, {
        ...{ pool, prisma },
        ...(replica && { askFirst: (binding, query) => replica.query(binding, query, token) }),
      }),
    unscoped: {
      query: async ({ name, text }, values) => {
        const { rows } = await pool.run(unbound, { name, text, values: [...values] });
        return rows as never;
      },
    },
    check: () => pool.check(),
    async close() {
      await client.$disconnect();
      await replica?.close();
      await pool.end();
    },
  };
}
