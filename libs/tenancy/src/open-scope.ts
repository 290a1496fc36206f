import { inSpan } from '@tenantry/tracing';
import type { QueryConfig, QueryResult } from 'pg';
import { TenancyError } from './errors.ts';
import { connectionOf, throwRefused, type Errand } from './errand.ts';
import type { TenantPool } from './pool.ts';
import type { RunStatement, ScopedPrisma, TenantScope, TenantTransaction } from './rows.ts';
import { bindingOf, type Binding, type Scope } from './scope.ts';
import type { Statement } from './statement.ts';
import { inOtherScope, inSavepoint } from './transaction-parts.ts';

/** The one extended client that all scopes share. */
export type TransactionalPrisma<Client> = ScopedPrisma<Client> & {
  $transaction<Result>(
    work: (prisma: ScopedPrisma<Client>) => Promise<Result>,
    options: { readonly maxWait: number; readonly timeout: number },
  ): Promise<Result>;
};

/** What a scope is opened on. */
export interface OpenScopeOptions<Client> {
  readonly pool: TenantPool;
  readonly prisma: TransactionalPrisma<Client>;
  /** Answers a statement in the pool's place; undefined where the pool has to. */
  readonly askFirst?: (binding: Binding, query: QueryConfig) => Promise<QueryResult | undefined>;
}

const graceMs = 1_000;

/** Opens the rows of a scope. */
export function openScope<Client, S extends Scope>(
  scope: S,
  { pool, prisma, askFirst }: OpenScopeOptions<Client>,
): TenantScope<Client, S> {
  const binding = bindingOf(scope);
  return {
    scope,
    query: async (statement, values) => {
      const query = bound(scope, statement, values);
      // In a transaction the pool refuses what goes around it.
      const answer = askFirst && !pool.isInTransaction ? await askFirst(binding, query) : undefined;
      const { rows } = answer ?? (await pool.run(binding, query));
      return rows as never;
    },
    get prisma() {
      return enteringModels<Client>(prisma, (name, call) => pool.within(scope, () => pool.timed(name, call)));
    },
    transaction: async (work, { limitMs = pool.timeouts.transactionMs } = {}) => {
      const { connectMs } = pool.timeouts;
      return inSpan('transaction', {}, () =>
        pool.transaction(scope, (errand) =>
          prisma.$transaction(
            async (inner) => {
              errand.expiresAt = performance.now() + limitMs;
              const result = await work(openTransaction(scope, { prisma: inner, errand, pool }));
              throwRefused(errand);
              return result;
            },
            // The pool gives up first, on waiting and on work, and says why. On work also because Prisma rolls back
            // whatever runs: a query sent right then would run behind the ROLLBACK, outside of the transaction.
            { maxWait: connectMs + graceMs, timeout: limitMs + graceMs },
          ),
        ),
      );
    },
    batches: (statement, values, options) =>
      pool.batches(scope, bound(scope, statement, values), options) as AsyncIterable<never[]>,
  };
}

interface OpenTransactionOptions<Client> {
  readonly prisma: ScopedPrisma<Client>;
  readonly errand: Errand;
  readonly pool: TenantPool;
}

/** What runs on the connection of an errand. */
function openTransaction<Client, S extends Scope>(
  scope: S,
  { prisma, errand, pool }: OpenTransactionOptions<Client>,
): TenantTransaction<Client, S> {
  const query: RunStatement = async (statement, values) => {
    const { rows } = await pool.runWithin(errand, bound(scope, statement, values));
    return rows as never;
  };
  const transaction: TenantTransaction<Client, S> = {
    scope,
    query,
    prisma: enteringModels(prisma, (name, call) => {
      connectionOf(errand);
      return pool.resume(errand, () => pool.timed(name, call));
    }),
    within: (other, work) =>
      inOtherScope(errand, other, (inner) =>
        pool.resume(inner, () => work(openTransaction(other, { prisma, errand: inner, pool }))),
      ),
    asScope: () => ({
      scope,
      query,
      prisma: transaction.prisma,
      transaction: (work) => inSavepoint(errand, () => work(transaction)),
      batches: () => {
        throw new TenancyError(
          'TRANSACTION_BYPASSED',
          'A transaction is open here, and batches need their own.',
        );
      },
    }),
  };
  return transaction;
}

/** Has a call of Prisma begin in a scope; `name` says which it is, as `prisma.lead.findMany`. */
type EnterCall = (name: string, call: () => Promise<unknown>) => Promise<unknown>;

/** The models of a client, with each call entered into a scope. */
function enteringModels<Client>(prisma: ScopedPrisma<Client>, enter: EnterCall): ScopedPrisma<Client> {
  const entering = (model: object, name: string): object =>
    new Proxy(model, {
      get(_, operation) {
        const call: unknown = Reflect.get(model, operation);
        if (typeof call !== 'function') return call;
        // Prisma starts a query when it is awaited, so the awaiting belongs inside the scope.
        return async (args: unknown) =>
          enter(
            `prisma.${name}.${String(operation)}`,
            async () => (await Reflect.apply(call, model, [args])) as unknown,
          );
      },
    });
  return new Proxy(prisma, {
    get(_, name) {
      if (typeof name === 'string' && /^[$_]/.test(name)) throw refusedMember(name);
      const model: unknown = Reflect.get(prisma, name);
      return typeof model === 'object' && model !== null ? entering(model, String(name)) : model;
    },
  });
}

function refusedMember(name: string): TenancyError {
  return new TenancyError(
    'OPERATION_REFUSED',
    `${name} leads past the scope. SQL runs as a statement() by query, and a transaction by transaction().`,
  );
}

/** A statement with its scope's organization, or user, as the first value. */
function bound(scope: Scope, { name, text, owner }: Statement<unknown, never>, values: readonly unknown[]) {
  if (owner === 'nobody') return { name, text, values: [...values] };
  const id = owner === 'organization' ? scope.organizationId : scope.userId;
  if (id === undefined) {
    throw new TenancyError('SCOPE_REQUIRED', `The statement ${name} needs a scope that names its ${owner}.`);
  }
  return { name, text, values: [id, ...values] };
}
