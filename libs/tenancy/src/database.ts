import { PrismaPg } from '@prisma/adapter-pg';
import { TenancyError } from './errors.ts';
import { TenantPool, type Errand, type TenantPoolOptions } from './pool.ts';
import { bindingOf, type Binding, type Scope } from './scope.ts';
import type { Statement } from './statement.ts';
import { tenantQueries, type PrismaNamespace } from './tenant-queries.ts';

/** What every generated Prisma client has. */
export interface PrismaClientLike {
  $extends(extension: never): unknown;
  $transaction(work: never, options?: never): Promise<unknown>;
  $disconnect(): Promise<void>;
}

/** A Prisma client without the ways around the scope. */
export type ScopedPrisma<Client> = Omit<Client, `$${string}`>;

/** What {@link createTenantDatabase} is made of. */
export interface TenantDatabaseOptions<Client extends PrismaClientLike> extends TenantPoolOptions {
  /** The `Prisma` namespace of the generated client: it tells which models have an organization. */
  readonly models: PrismaNamespace;
  /** Makes the client on the pool's adapter. */
  readonly prisma: (adapter: PrismaPg) => Client;
}

/** Runs one named statement; the scope's organization is bound as `$1`, `values` from `$2` on. */
export type RunStatement = <Row, Values extends readonly unknown[]>(
  statement: Statement<Row, Values>,
  values: Values,
) => Promise<Row[]>;

/** Queries that run on one connection and take effect together. */
export interface TenantTransaction<Client> {
  /** Whom it serves. */
  readonly scope: Scope;
  readonly prisma: ScopedPrisma<Client>;
  readonly query: RunStatement;
  /**
   * Runs `work` in another scope of the same transaction: for what concerns several tenants and takes effect
   * together. One after the other: nothing else of the transaction may run until it ends.
   */
  within<Result>(
    scope: Scope,
    work: (transaction: TenantTransaction<Client>) => Promise<Result>,
  ): Promise<Result>;
}

/** The rows of one scope. */
export interface TenantScope<Client, S extends Scope = Scope> {
  /** Whom it serves, as given. */
  readonly scope: S;
  readonly query: RunStatement;
  /** Runs one Prisma query. */
  prisma<Result>(work: (prisma: ScopedPrisma<Client>) => PromiseLike<Result>): Promise<Result>;
  /** Runs several queries in one transaction, which ends when `work` does; a throw rolls it back. */
  transaction<Result>(work: (transaction: TenantTransaction<Client>) => Promise<Result>): Promise<Result>;
}

/** A service's database, reached through a scope. */
export interface TenantDatabase<Client> {
  /** The rows of an organization, of a user, or of a user in an organization. */
  within<S extends Scope>(scope: S): TenantScope<Client, S>;
  /** For what belongs to no tenant: health, migrations, catalog. Tenant policies raise here. */
  readonly pool: TenantPool;
  /** Resolves when the database answers; rejects when it is away. For health checks. */
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
  const prisma = client.$extends(
    tenantQueries(options.models, () => pool.errand?.scope) as never,
  ) as TransactionalPrisma<Client>;

  return {
    pool,
    within: (scope) => new OpenScope(scope, pool, prisma),
    async check() {
      await pool.query('SELECT 1');
    },
    async close() {
      await client.$disconnect();
      await pool.end();
    },
  };
}

type TransactionalPrisma<Client> = ScopedPrisma<Client> & {
  $transaction<Result>(
    work: (prisma: ScopedPrisma<Client>) => Promise<Result>,
    options: { readonly maxWait: number; readonly timeout: number },
  ): Promise<Result>;
};

class OpenScope<Client, S extends Scope> implements TenantScope<Client, S> {
  readonly scope: S;
  readonly #binding: Binding;
  readonly #pool: TenantPool;
  readonly #prisma: TransactionalPrisma<Client>;

  constructor(scope: S, pool: TenantPool, prisma: TransactionalPrisma<Client>) {
    this.scope = scope;
    this.#binding = bindingOf(scope);
    this.#pool = pool;
    this.#prisma = prisma;
  }

  readonly query: RunStatement = async (statement, values) => {
    const { rows } = await this.#pool.run(this.#binding, bound(this.scope, statement, values));
    return rows as never;
  };

  async prisma<Result>(work: (prisma: ScopedPrisma<Client>) => PromiseLike<Result>): Promise<Result> {
    // A Prisma query starts when it is awaited, so the awaiting belongs inside the scope.
    return this.#pool.within(this.scope, async () => await work(this.#prisma));
  }

  async transaction<Result>(
    work: (transaction: TenantTransaction<Client>) => Promise<Result>,
  ): Promise<Result> {
    const { connectMs, transactionMs } = this.#pool.timeouts;
    return this.#pool.within(this.scope, (errand) =>
      this.#prisma.$transaction((prisma) => work(transactionOf(prisma, errand, this.#pool)), {
        // The pool gives up first, and says why.
        maxWait: connectMs + 1_000,
        timeout: transactionMs,
      }),
    );
  }
}

/** What runs on the connection of an errand. */
function transactionOf<Client>(
  prisma: ScopedPrisma<Client>,
  errand: Errand,
  pool: TenantPool,
): TenantTransaction<Client> {
  return {
    scope: errand.scope,
    prisma,
    query: async (statement, values) => {
      const { rows } = await pool.connectionOf(errand).query(bound(errand.scope, statement, values));
      return rows as never;
    },
    within: (scope, work) => pool.rebind(errand, scope, (inner) => work(transactionOf(prisma, inner, pool))),
  };
}

/** A statement with its scope's organization, or user, as the first value. */
function bound(scope: Scope, { name, text, owner }: Statement<unknown, never>, values: readonly unknown[]) {
  const id = owner === 'organization' ? scope.organizationId : scope.userId;
  if (id === undefined) {
    throw new TenancyError('SCOPE_REQUIRED', `The statement ${name} needs a scope that names its ${owner}.`);
  }
  return { name, text, values: [id, ...values] };
}
