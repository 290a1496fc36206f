import type { ScopedModels } from './models/scoped-models.ts';
import type { TenantPool } from './pool.ts';

/** What the rows of all scopes are reached by. */
export interface Road<Client> {
  readonly pool: TenantPool;
  readonly models: ScopedModels<Client>;
}
