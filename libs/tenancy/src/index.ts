export { createTenantDatabase } from './database.ts';
export type {
  RunStatement,
  TenantDatabase,
  TenantDatabaseOptions,
  TenantScope,
  TenantTransaction,
} from './database.ts';
export { TenancyError } from './errors.ts';
export type { TenancyErrorCode } from './errors.ts';
export type { Scope } from './scope.ts';
export { statement } from './statement.ts';
export type { Statement, StatementOptions, StatementOwner } from './statement.ts';
export { TenantPool } from './pool.ts';
export type { TenantPoolOptions } from './pool.ts';
export type { BindingMode } from './binding.ts';
export { standardTimeouts } from './timeouts.ts';
export type { Timeouts } from './timeouts.ts';
export { catalogProblems } from './catalog.ts';
export { assertMigrated, pendingMigrations } from './migrations.ts';
