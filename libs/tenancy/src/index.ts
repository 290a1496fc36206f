export { TenantDatabase } from './database.ts';
export type { TenantDatabaseOptions } from './database.ts';
export type {
  OrganizationRows,
  OrganizationTransaction,
  TenantRows,
  TenantScope,
  TenantSnapshot,
  TenantTransaction,
  UnscopedRows,
  UserRows,
  UserTransaction,
} from './rows.ts';
export { TenancyError } from './errors.ts';
export type { TenancyErrorCode } from './errors.ts';
export type { NoScope, OrganizationScope, Scope, UserScope } from './scope.ts';
export { pageOf, theOne } from './pages.ts';
export type { Page, PageRequest } from './pages.ts';
export {
  foldedAlike,
  foundIn,
  foundPageText,
  orderText,
  pageText,
  suggestionsText,
  totalText,
} from './page-text.ts';
export { searchedText } from './search/searched-text.ts';
export type { Search, SearchedText } from './search/searched-text.ts';
export type { PageOrder } from './page-text.ts';
export { momentOf } from './filters.ts';
export { statementFamily } from './statement-families.ts';
export type { Period } from './filters.ts';
export { FilteredPages } from './filtered-pages.ts';
export type { FilteredQuery } from './filtered-pages.ts';
export { describedStatements } from './described-statements.ts';
export type { DefineStatement, DefineUnscopedStatement } from './described-statements.ts';
export { statement, unscopedStatement } from './statement.ts';
export type { Statement, StatementOwner } from './statement.ts';
export { assertPoolerFits, PoolerError } from './pooler.ts';
export { replicaTimeouts, type Replica } from './replica/replica.ts';
export { TenantPool } from './pool.ts';
export type { BindingMode } from './binding.ts';
export { standardTimeouts, type Timeouts } from './timeouts.ts';
export { modelsOf, type ScopedPrisma } from './models/scoped-prisma.ts';
export type { PrismaClientLike, PrismaNamespace } from './models/scoped-models.ts';
export { assertMigrated, lastMigration } from './migrations.ts';
