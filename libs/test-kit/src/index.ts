export { testClock, type TestClock } from './clock.ts';
export { createTestDatabase, type TestDatabase } from './database.ts';
export { endWithProcess } from './child-processes.ts';
export { createFormerDatabase, type FormerDatabase } from './former-database.ts';
export { mutatedAccessTokens, mutatedOpaqueTokens, signedToken } from './mutated-tokens.ts';
export type { TokenParts } from './mutated-tokens.ts';
export { findPgBouncer, startPgBouncer } from './pgbouncer.ts';
export type { TestPooler, TestPoolerOptions } from './pgbouncer.ts';
export { startTestPostgres, testPostgres, type TestPostgres } from './postgres.ts';
export { startTestRedis, type TestRedis } from './redis.ts';
export {
  configure,
  copyFolder,
  signal,
  startReplicatedPostgres,
  turnIntoStandby,
  type ReplicatedPostgres,
} from './standby.ts';
export { onceAvailable } from './once-available.ts';
export { patience, patient } from './patience.ts';
export { startTcpLink, type TcpLink } from './tcp-link.ts';
export { mentionsOf } from './mentions.ts';
export { canary, canarySecret, logMetrics, testLog, testLogOf, type TestLog } from './test-log.ts';
export { liveHeap } from './live-heap.ts';
export { isThorough, thorough } from './thorough.ts';
export { freePort, startPostgres, type Postgres } from '@tenantry/dev-database';
export { startNameServer, type NameServer, type SaidOfName } from './name-server.ts';
export { selfSigned, type SelfSigned, type SelfSignedOptions } from './certificates.ts';
export { SamlProvider, type PostedResponse, type SamlRequest, type SamlVisitor } from './saml-provider.ts';
export { startTraceCollector } from './trace-collector.ts';
export type { AnswerExport, CollectedSpan, TraceCollector } from './trace-collector.ts';
export { attestationOf, SoftwareAuthenticator, type Misdeeds } from './software-authenticator.ts';
