export { ExplainedError } from './explained-error.ts';
export {
  databaseService,
  databaseServices,
  workspaceRoot,
  type DatabaseService,
} from './database-services.ts';
export {
  connected,
  databaseNames,
  provisionDatabase,
  withDatabase,
  type DatabaseNames,
  type DatabaseUrls,
  type Provision,
} from './databases.ts';
export {
  runningPostgres,
  startPostgres,
  type Ending,
  type Postgres,
  type PostgresOptions,
} from './postgres/index.ts';
export { startTemporaryPostgres } from './postgres/temporary.ts';
export { freePort } from './ports.ts';
export { applyMigrations, type ApplyOptions } from './migrate/apply.ts';
export { canary, canarySecret, testLog, testLogOf, type TestLog } from './test/test-log.ts';
