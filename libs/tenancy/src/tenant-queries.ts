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
type OwnerColumn = 'organizationId' | 'userId';
type Owner = readonly [column: OwnerColumn, id: string];

/** What {@link tenantQueries} is made of. */
export interface TenantQueriesOptions {
  readonly models: PrismaNamespace;
  /** Models whose rows belong to no tenant, each with the reason why. */
  readonly unscoped: Readonly<Record<string, string>>;
  readonly currentScope: () => Scope | undefined;
}

/**
 * The first of the two layers of tenant isolation, for Prisma: puts the scope's organization into every filter and
 * every new row of a tenant model, whatever the caller wrote.
 *
 * Refused, because each of them would leave the tenant or return another request's answer: a query outside of a
 * scope, a filter with an undefined value, another organization than the scope's, raw SQL, and findUnique.
 *
 * @throws {TenancyError} MODEL_UNKNOWN for a model that has no owner and is not listed as unscoped.
 */
export function tenantQueries({ models, unscoped, currentScope }: TenantQueriesOptions) {
  const owners = ownersOfModels(models, unscoped);

  return {
    name: 'tenant-queries',
    query: {
      async $allOperations({ model, operation, args, query }: ModelQuery): Promise<unknown> {
        if (model === undefined) {
          throw refused(
            'Raw SQL runs as a statement(), which binds the organization: use scope.query or tx.query.',
          );
        }
        const columns = owners.get(model);
        if (!columns) throw unknownModel(model);
        if (columns.length === 0) return query(args);
        return query(
          ownedArguments(operation, (args ?? {}) as Arguments, ownerFor(model, columns, currentScope())),
        );
      },
    },
  };
}

/** The columns by which a row may belong to somebody; none for an unscoped model. */
function ownersOfModels(
  prisma: PrismaNamespace,
  unscoped: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly OwnerColumn[]> {
  const enums = prisma as unknown as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  const models = Object.values(prisma.ModelName);
  const unlisted = Object.keys(unscoped).find((model) => !models.includes(model));
  if (unlisted !== undefined) throw unknownModel(unlisted);
  return new Map(
    models.map((model) => {
      if (unscoped[model] !== undefined) return [model, []];
      const fields = enums[`${model}ScalarFieldEnum`] ?? {};
      const columns = (['organizationId', 'userId'] as const).filter((column) => column in fields);
      if (columns.length === 0) throw unknownModel(model);
      return [model, columns];
    }),
  );
}

function ownerFor(model: string, columns: readonly OwnerColumn[], scope: Scope | undefined): Owner {
  for (const column of columns) {
    const id = scope?.[column];
    if (id !== undefined) return [column, id];
  }
  const owner = columns[0] === 'organizationId' ? 'an organization' : 'a user';
  throw new TenancyError(
    'SCOPE_REQUIRED',
    `${model} belongs to ${owner}: query it within a scope that names one.`,
  );
}

function unknownModel(model: string): TenancyError {
  return new TenancyError(
    'MODEL_UNKNOWN',
    `The scope does not know the model ${model}. Give it an organizationId, or list it as unscoped with the reason.`,
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
