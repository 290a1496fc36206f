import type { OrganizationScope, Scope, UserScope } from './scope.ts';
import type { StatementOwner } from './statement.ts';

/** Whose statements run in a scope: of those that it names, and of nobody. In a scope that names anybody, all do. */
export type OwnerIn<S> = Scope extends S
  ? StatementOwner
  : | 'nobody'
    | (S extends OrganizationScope ? 'organization' : never)
    | (S extends UserScope ? 'user' : never);
