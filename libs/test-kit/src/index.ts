export { testClock, type TestClock } from './clock.ts';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database.ts';
export { createFormerDatabase, type FormerDatabase } from './former-database.ts';
export { mutatedAccessTokens, mutatedOpaqueTokens, signedToken } from './mutated-tokens.ts';
export type { MutatedToken, TokenParts } from './mutated-tokens.ts';
export { startTestPostgres, testPostgres, type TestPostgres } from './postgres.ts';
export { startTestRedis, type TestRedis } from './redis.ts';
export { canary, canarySecret, testLog, testLogOf, type TestLog } from './test-log.ts';
export { freePort, startPostgres, type Postgres, type PostgresOptions } from '@tenantry/dev-database';
