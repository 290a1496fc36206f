import type { OwnerIn } from '../statement.ts';
import type { Scope } from '../scope.ts';

/**
 * The models of a Prisma client that a scope reaches: those of the owners that it names, and unscoped ones, without the methods
 * that bypass the scope. Rows without a scope have only the unscoped models.
 */
export type ScopedPrisma<Client, S extends Scope = Scope> = {
  readonly [Name in keyof Client as IsReached<Client[Name], S> extends true ? Name : never]: Client[Name];
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
