import { TenancyError } from './errors.ts';
import type { Scope } from './scope.ts';

/** The part of a generated client's `Prisma` namespace that tells which models belong to a tenant. */
export interface PrismaNamespace {
  readonly ModelName: Readonly<Record<string, string>>;
}

/** One call of a Prisma model, as a query extension sees it. */
interface ModelQuery {
  readonly model?: string | undefined;
  readonly operation: string;
  readonly args: unknown;
  readonly query: (args: unknown) => Promise<unknown>;
}

type Arguments = Readonly<Record<string, unknown>>;
type Owner = readonly [column: 'organizationId' | 'userId', id: string];

/**
 * The first of the two layers of tenant isolation, for Prisma: puts the scope's organization into every filter and
 * every new row of a tenant model, whatever the caller wrote.
 *
 * Refused, because each of them would leave the tenant or return another request's answer: a query outside of a
 * scope, a filter with an undefined value, another organization than the scope's, raw SQL, and findUnique.
 */
export function tenantQueries(prisma: PrismaNamespace, currentScope: () => Scope | undefined) {
  const columns = columnsOfModels(prisma);

  return {
    name: 'tenant-queries',
    query: {
      async $allOperations({ model, operation, args, query }: ModelQuery): Promise<unknown> {
        if (model === undefined) {
          throw refused(
            'Raw SQL runs as a statement(), which binds the organization: use scope.query or tx.query.',
          );
        }
        const owned = columns.get(model);
        if (!owned?.has('organizationId')) return query(args);
        return query(
          ownedArguments(operation, (args ?? {}) as Arguments, ownerFor(model, owned, currentScope())),
        );
      },
    },
  };
}

function columnsOfModels(prisma: PrismaNamespace): ReadonlyMap<string, ReadonlySet<string>> {
  const enums = prisma as unknown as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  const models = Object.values(prisma.ModelName);
  return new Map(
    models.map((model) => [model, new Set(Object.keys(enums[`${model}ScalarFieldEnum`] ?? {}))]),
  );
}

function ownerFor(model: string, owned: ReadonlySet<string>, scope: Scope | undefined): Owner {
  if (scope?.organizationId !== undefined) return ['organizationId', scope.organizationId];
  if (scope?.userId !== undefined && owned.has('userId')) return ['userId', scope.userId];
  throw new TenancyError(
    'SCOPE_REQUIRED',
    `${model} belongs to an organization: query it within a scope that names one.`,
  );
}

const filtered = new Set(
  'findFirst findFirstOrThrow findMany count aggregate groupBy update updateMany updateManyAndReturn delete deleteMany upsert'.split(
    ' ',
  ),
);
const created = new Set(['create', 'createMany', 'createManyAndReturn']);
const changed = new Set(['update', 'updateMany', 'updateManyAndReturn']);

function ownedArguments(operation: string, args: Arguments, owner: Owner): Arguments {
  if (operation.startsWith('findUnique')) {
    // Prisma joins the findUnique calls of one tick into one query, which runs in the scope of the first of them.
    throw refused('findUnique is answered together with other requests: use findFirst.');
  }
  if (!filtered.has(operation) && !created.has(operation)) {
    throw refused(`${operation} is not known to keep to its tenant.`);
  }
  const owned: Record<string, unknown> = { ...args };
  if (filtered.has(operation)) owned['where'] = ownedFilter(args['where'], owner);
  if (created.has(operation)) owned['data'] = ownedRows(args['data'], owner);
  if (changed.has(operation)) requireSameOwner(args['data'], owner);
  if (operation === 'upsert') {
    owned['create'] = ownedRows(args['create'], owner);
    requireSameOwner(args['update'], owner);
  }
  return owned;
}

function ownedFilter(where: unknown, owner: Owner): Arguments {
  requireDefined(where, 'where');
  requireSameOwner(where, owner);
  return { ...(where as Arguments | undefined), [owner[0]]: owner[1] };
}

function ownedRows(data: unknown, owner: Owner): unknown {
  if (Array.isArray(data)) return data.map((row) => ownedRows(row, owner));
  requireSameOwner(data, owner);
  return { ...(data as Arguments | undefined), [owner[0]]: owner[1] };
}

/** Prisma reads `undefined` in a filter as no filter at all. */
function requireDefined(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined) {
      throw new TenancyError(
        'FILTER_UNDEFINED',
        `${path}.${key} is undefined, which Prisma takes for no filter.`,
      );
    }
    requireDefined(child, `${path}.${key}`);
  }
}

function requireSameOwner(value: unknown, [column, id]: Owner): void {
  if (typeof value !== 'object' || value === null || !(column in value)) return;
  const named = (value as Arguments)[column];
  if (named !== id) {
    throw new TenancyError(
      'SCOPE_MISMATCH',
      `${column} is not the scope's: a scope reaches its own rows alone.`,
    );
  }
}

function refused(message: string): TenancyError {
  return new TenancyError('OPERATION_REFUSED', message);
}
