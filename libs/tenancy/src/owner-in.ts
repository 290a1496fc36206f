import type { OrganizationScope, Scope, UserScope } from './scope.ts';
import type { StatementOwner } from './statement.ts';

/** The owners whose statements run in a scope: those that it names, and `unscoped`. In an unspecified scope, all do. */
export type OwnerIn<S> = Scope extends S
  ? StatementOwner
  : | 'unscoped'
    | (S extends OrganizationScope ? 'organization' : never)
    | (S extends UserScope ? 'user' : never);
