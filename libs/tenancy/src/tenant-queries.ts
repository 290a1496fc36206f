import { TenancyError } from './errors.ts';
import { judgeArguments, type Arguments } from './prisma-arguments.ts';
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
 * scope, another organization than the scope's, raw SQL, and what {@link judgeArguments} refuses.
 *
 * @throws {TenancyError} MODEL_UNKNOWN for a model that has no owner and is not listed as unscoped.
 */
export function tenantQueries({ models: namespace, unscoped, currentScope }: TenantQueriesOptions) {
  const models = describeModels(namespace, unscoped);

  return {
    name: 'tenant-queries',
    query: {
      async $allOperations({ model, operation, args: given, query }: ModelQuery): Promise<unknown> {
        if (model === undefined) {
          throw new TenancyError(
            'OPERATION_REFUSED',
            'Raw SQL runs as a statement(), which binds the organization.',
          );
        }
        const described = models.get(model);
        if (!described) throw unknownModel(model);
        const { columns, owners } = described;
        const args = (given ?? {}) as Arguments;
        judgeArguments({ model, columns, operation, args });
        if (owners.length === 0) return query(args);
        return query(ownedArguments(operation, args, ownerFor(model, owners, currentScope())));
      },
    },
  };
}

interface DescribedModel {
  readonly columns: ReadonlySet<string>;
  /** The columns by which a row may belong to somebody; none for an unscoped model. */
  readonly owners: readonly OwnerColumn[];
}

function describeModels(
  namespace: PrismaNamespace,
  unscoped: Readonly<Record<string, string>>,
): ReadonlyMap<string, DescribedModel> {
  const enums = namespace as unknown as Readonly<
    Record<string, Readonly<Record<string, string>> | undefined>
  >;
  const models = Object.values(namespace.ModelName);
  const unlisted = Object.keys(unscoped).find((model) => !models.includes(model));
  if (unlisted !== undefined) throw unknownModel(unlisted);
  return new Map(
    models.map((model) => {
      const columns = new Set(Object.keys(enums[`${model}ScalarFieldEnum`] ?? {}));
      if (unscoped[model] !== undefined) return [model, { columns, owners: [] }];
      const owners = (['organizationId', 'userId'] as const).filter((column) => columns.has(column));
      if (owners.length === 0) throw unknownModel(model);
      return [model, { columns, owners }];
    }),
  );
}

function ownerFor(model: string, owners: readonly OwnerColumn[], scope: Scope | undefined): Owner {
  for (const column of owners) {
    const id = scope?.[column];
    if (id !== undefined) return [column, id];
  }
  const owner = owners[0] === 'organizationId' ? 'an organization' : 'a user';
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

const created = new Set(['create', 'createMany', 'createManyAndReturn']);
const changed = new Set(['update', 'updateMany', 'updateManyAndReturn']);

function ownedArguments(operation: string, args: Arguments, owner: Owner): Arguments {
  if (created.has(operation)) return { ...args, data: ownedRows(args['data'], owner) };
  const owned: Record<string, unknown> = { ...args, where: ownedFilter(args['where'], owner) };
  if (changed.has(operation)) requireSameOwner(args['data'], owner);
  if (operation === 'upsert') {
    owned['create'] = ownedRows(args['create'], owner);
    requireSameOwner(args['update'], owner);
  }
  return owned;
}

function ownedFilter(where: unknown, owner: Owner): Arguments {
  requireSameOwner(where, owner);
  return { ...(where as Arguments | undefined), [owner[0]]: owner[1] };
}

function ownedRows(data: unknown, owner: Owner): unknown {
  if (Array.isArray(data)) return data.map((row) => ownedRows(row, owner));
  requireSameOwner(data, owner);
  return { ...(data as Arguments | undefined), [owner[0]]: owner[1] };
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
