export { TenantDatabase } from './database.ts';
export type { TenantDatabaseOptions } from './database.ts';
export type { OwnerIn } from './owner-in.ts';
export type {
  OrganizationRows,
  OrganizationTransaction,
  TenantRows,
  TenantScope,
  TenantTransaction,
  UnscopedRows,
  UnscopedTransaction,
  UserRows,
  UserTransaction,
} from './rows.ts';
export type { ScopedPrisma } from './models/scoped-prisma.ts';
export { TenancyError } from './errors.ts';
export type { TenancyErrorCode } from './errors.ts';
export type { NoScope, OrganizationScope, Scope, UserScope } from './scope.ts';
export { pageOf } from './pages.ts';
export type { Page, PageRow } from './pages.ts';
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
export type { Search, SearchedText, SearchedTextOptions } from './search/searched-text.ts';
export type { PageOrder, PageParts, TotalParts } from './page-text.ts';
export { everySubset, idsWithin, momentOf } from './filters.ts';
export type { Period } from './filters.ts';
export { describedStatements } from './described-statements.ts';
export type {
  DefineStatement,
  DefineUnscopedStatement,
  DescribedStatements,
} from './described-statements.ts';
export { statement, unscopedStatement } from './statement.ts';
export type { Statement, StatementOptions, StatementOwner, UnscopedStatement } from './statement.ts';
export { assertPoolerFits, PoolerError } from './pooler.ts';
export type { Replica, ReplicaOptions, ReplicaOutcome } from './replica/replica.ts';
export { TenantPool } from './pool.ts';
export type { TenantPoolOptions } from './pool.ts';
export type { BindingMode } from './binding.ts';
export { standardTimeouts } from './timeouts.ts';
export type { Timeouts } from './timeouts.ts';
export type { PoolTimings } from './timings.ts';
export { catalogProblems, type CatalogOptions } from './catalog.ts';
export type { PrismaClientLike, PrismaNamespace } from './models/scoped-models.ts';
export { assertMigrated, pendingMigrations } from './migrations.ts';
