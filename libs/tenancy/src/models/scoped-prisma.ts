import type { NoScope, Scope } from '../scope.ts';
import type { OwnerIn } from '../statement.ts';
import type { Operation } from './arguments.ts';

/**
 * Makes the function by which a service reaches its Prisma models: those of the owners that a scope names, and unscoped ones.
 * Call it once, in `database.ts`, with the type of the service's client.
 *
 * @example
 * export const models = modelsOf<PrismaClient>();
 *
 * await models(tx).lead.deleteMany({ where: { id } });
 */
export const modelsOf =
  <Client>() =>
  <S extends Scope = NoScope>(rows: { readonly scope?: S; readonly prisma: unknown }) =>
    rows.prisma as ScopedPrisma<Client, S>;

/** The models of a Prisma client that a scope reaches, without the methods that bypass the scope. */
export type ScopedPrisma<Client, S extends Scope> = {
  readonly [Name in keyof Client as IsReached<Client[Name], S> extends true ? Name : never]: Pick<
    Client[Name],
    keyof Client[Name] & Operation
  >;
};

/** Every delegate of a model says what its rows have. */
type ColumnsOf<Model> = Model extends {
  [type: symbol]: { types: { payload: { scalars: infer Columns } } };
}
  ? keyof Columns
  : never;

type OwnersOf<Columns> =
  | ('organizationId' extends Columns ? 'organization' : never)
  | ('userId' extends Columns ? 'user' : never);

type IsReached<Model, S extends Scope> = [ColumnsOf<Model>] extends [never]
  ? false
  : [OwnersOf<ColumnsOf<Model>>] extends [never]
    ? true
    : Scope extends S
      ? false
      : [OwnersOf<ColumnsOf<Model>> & OwnerIn<S>] extends [never]
        ? false
        : true;
