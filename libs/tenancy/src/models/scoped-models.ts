import type { Errand } from '../errand.ts';
import { TenancyError } from '../errors.ts';
import type { TenantPool } from '../pool.ts';
import type { Scope } from '../scope.ts';
import { judgeArguments, type Arguments } from './arguments.ts';

/** The part of a generated client's `Prisma` namespace that tells which models belong to a tenant. */
export interface PrismaNamespace {
  readonly ModelName: Readonly<Record<string, string>>;
}

/** What every generated Prisma client has. */
export interface PrismaClientLike {
  $extends(extension: never): unknown;
  $disconnect(): Promise<void>;
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

/** Options of {@link ScopedModels}. */
export interface ScopedModelsOptions {
  readonly client: PrismaClientLike;
  readonly pool: TenantPool;
  readonly models: PrismaNamespace;
  /** Models whose rows belong to no tenant, each with the reason why. */
  readonly unscoped: Readonly<Record<string, string>>;
}

/**
 * The first of the two layers of tenant isolation, for Prisma: puts the scope's organization into every filter and
 * every new row of a tenant model, whatever the caller wrote.
 *
 * Refused, because each of them would leave the tenant or return another request's answer: another organization than the
 * scope's, raw SQL, and what {@link judgeArguments} refuses.
 */
export class ScopedModels {
  readonly #client: PrismaClientLike;
  readonly #pool: TenantPool;
  readonly #models: ReadonlyMap<string, DescribedModel>;

  /** @throws {TenancyError} MODEL_UNKNOWN for a model that has no owner and is not listed as unscoped. */
  constructor({ client, pool, models, unscoped }: ScopedModelsOptions) {
    this.#client = client;
    this.#pool = pool;
    this.#models = describeModels(models, unscoped);
  }

  /**
   * The models in a scope.
   *
   * @param begin gives the errand of a call, at the call; throws where none may run
   */
  of(scope: Scope, begin: () => Errand): unknown {
    const $allOperations = async ({ model, operation, args, query }: ModelQuery): Promise<unknown> => {
      if (model === undefined) throw refusedMember(operation);
      const owned = this.#ownedArguments(model, operation, args, scope);
      const errand = { ...begin(), isModelCall: true };
      const label = `prisma.${model.charAt(0).toLowerCase()}${model.slice(1)}.${operation}`;
      return this.#pool.resume(errand, () => this.#pool.timed(label, async () => query(owned)));
    };
    return this.#client.$extends({ client: waysAround, query: { $allOperations } } as never);
  }

  #ownedArguments(model: string, operation: string, given: unknown, scope: Scope): Arguments {
    const described = this.#models.get(model);
    if (!described) throw unknownModel(model);
    const { columns, owners } = described;
    const args = (given ?? {}) as Arguments;
    judgeArguments({ model, columns, operation, args });
    if (owners.length === 0) return args;
    const owner = ownerFor(model, owners, scope);
    if (operation.startsWith('create')) return { ...args, data: ownedRows(args['data'], owner) };
    requireSameOwner(args['data'], owner);
    return { ...args, where: ownedRows(args['where'], owner) };
  }
}

/** Members of a client that its queries do not pass through. */
const waysAround = Object.fromEntries(
  ['transaction', 'extends', 'queryRaw', 'queryRawUnsafe', 'executeRaw', 'executeRawUnsafe']
    .concat(['connect', 'disconnect', 'on'])
    .map((name) => [
      `$${name}`,
      () => {
        throw refusedMember(`$${name}`);
      },
    ]),
);

const refusedMember = (name: string): TenancyError =>
  new TenancyError(
    'OPERATION_REFUSED',
    `${name} leads past the scope. SQL runs as a statement() by query, and a transaction by transaction().`,
  );

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

function ownerFor(model: string, owners: readonly OwnerColumn[], scope: Scope): Owner {
  for (const column of owners) {
    const id = scope[column];
    if (id !== undefined) return [column, id];
  }
  const owner = owners[0] === 'organizationId' ? 'an organization' : 'a user';
  throw new TenancyError(
    'SCOPE_REQUIRED',
    `${model} belongs to ${owner}: query it within a scope that names one.`,
  );
}

const unknownModel = (model: string): TenancyError =>
  new TenancyError(
    'MODEL_UNKNOWN',
    `The scope does not know the model ${model}. Give it an organizationId, or list it as unscoped with the reason.`,
  );

/** A filter, a new row or several, of the owner. */
function ownedRows(given: unknown, owner: Owner): unknown {
  if (Array.isArray(given)) return given.map((row) => ownedRows(row, owner));
  requireSameOwner(given, owner);
  return { ...(given as Arguments | undefined), [owner[0]]: owner[1] };
}

function requireSameOwner(value: unknown, [column, id]: Owner): void {
  if (typeof value !== 'object' || value === null || !(column in value)) return;
  if ((value as Arguments)[column] === id) return;
  throw new TenancyError(
    'SCOPE_MISMATCH',
    `${column} is not the scope's: a scope reaches its own rows alone.`,
  );
}
