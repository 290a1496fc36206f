export { ExplainedError } from './explained-error.ts';
export {
  assertReachable,
  connected,
  databaseNames,
  grantDatabase,
  provisionDatabase,
  withDatabase,
  type DatabaseUrls,
} from './databases.ts';
export { applyMigrations } from './migrations/apply.ts';
export { readMigrateCommand } from './migrations/arguments.ts';
export { migrate } from './migrations/migrate.ts';
export { freePort, portObstacle } from './ports.ts';
export { claimDirectory, liveHolder, type Claim } from './postgres/claim.ts';
export { replaceFile } from './replace-file.ts';
export {
  runningPostgres,
  startPostgres,
  type Ending,
  type Postgres,
  type PostgresOptions,
  type RunningPostgres,
} from './postgres/postgres.ts';
export { hasEnded, processBirth, sendSignal } from './postgres/processes.ts';
export { startTemporaryPostgres } from './postgres/temporary.ts';
export {
  databaseService,
  databaseServices,
  serviceTemplate,
  variablePrefix,
  workspaceRoot,
  type DatabaseService,
} from './services.ts';
