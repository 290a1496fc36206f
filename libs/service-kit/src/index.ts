export { enforceAccess } from './access.ts';
export type { AccessCheck, AccessChecks, OwnPermissions, RouteAccess, RoutePermission } from './access.ts';
export { addressKey, siteKey } from './addresses/address-key.ts';
export { trustIn } from './addresses/trusted-proxies.ts';
export type { PeerTrust } from './addresses/trusted-proxies.ts';
export * from './browser/index.ts';
export { acceptForeignForms, acceptStreamOnly, readBytes, readPieces, textOf } from './bodies.ts';
export type { ForeignForm } from './bodies.ts';
export { peerAccess } from './peer-access.ts';
export { callOutside } from './call-outside.ts';
export type { CallOutside, OutsideCall } from './call-outside.ts';
export { callService } from './call-service.ts';
export type { ServiceCall } from './call-service.ts';
export { ConfigError, readConfig } from './config.ts';
export type { SettingOptions } from './config.ts';
export { refusalIn } from './failures/answers.ts';
export type { FailureFormat, FailureFormatOf } from './failures/answers.ts';
export type { Refusal } from '@tenantry/envelope';
export { reasonsByCode, rules } from './failures/vocabulary.ts';
export type { ReasonOf } from './failures/vocabulary.ts';
export { databaseFault, isUnavailable, isUniqueViolation } from './failures/database-faults.ts';
export type { DatabaseFault } from './failures/database-faults.ts';
export { backoffMs } from './backoff.ts';
export type { Backoff } from './backoff.ts';
export { isUnsafe } from './safe-methods.ts';
export { retryOnContention } from './failures/retry.ts';
export type { RetryOptions } from './failures/retry.ts';
export { checkBy } from './validation/check.ts';
export type { Check } from './validation/check.ts';
export { isVisible } from './validation/text.ts';
export { isEmail } from './validation/formats.ts';
export type { HealthCheck, HealthChecks, UnreadyReason } from './health.ts';
export { createLogger, describeError } from './logging.ts';
export type { LoggedError, Logger, LoggerOptions } from './logging.ts';
export type { MeasuredPool } from './metrics/database-metrics.ts';
export type { Distribution, Labels, Measurement, Reading, Total } from './metrics/measurement.ts';
export { measureShares } from './metrics/share-metrics.ts';
export { measureRequests } from './metrics/request-metrics.ts';
export type { OpenApiOptions } from './openapi/document.ts';
export type { Quota, RateLimit, RateLimitWindow, WindowQuota } from './rate-limits/rate-limit.ts';
export { countBy } from './rate-limits/charges.ts';
export type { Charge } from './rate-limits/charges.ts';
export type { Counted } from './rate-limits/counted.ts';
export { OutcomeLimits } from './rate-limits/outcome-limits.ts';
export type { OutcomeLimitsOptions } from './rate-limits/outcome-limits.ts';
export { limitedBy } from './rate-limits/rate-limit.plugin.ts';
export type {
  LimitedByOptions,
  RouteLimiter,
  RouteRateLimit,
  Usage,
} from './rate-limits/rate-limit.plugin.ts';
export { rateLimited, rateLimitHeaders } from './rate-limits/rate-limit-headers.ts';
export type { CountedLimiter, RateLimiter } from './rate-limits/rate-limiter.ts';
export { createRateLimits } from './rate-limits/rate-limits.ts';
export type { RateLimits, RateLimitsOptions } from './rate-limits/rate-limits.ts';
export { changedFields, changesNothing } from './resources/changes.ts';
export { commaList } from './resources/comma-list.ts';
export type { CommaList } from './resources/comma-list.ts';
export { consistencyTokenHeader, withGivenToken } from './resources/consistency-tokens.ts';
export {
  IfMatchHeaders,
  WithEntityTag,
  anyVersion,
  entityTag,
  preconditionFailed,
  preconditionOf,
} from './resources/entity-tags.ts';
export type { Precondition } from './resources/entity-tags.ts';
export {
  DateOrTime,
  DecimalOf,
  EmailAddress,
  Figure,
  LineOf,
  LinesOf,
  Nullable,
  Text,
  Timestamp,
  Uuid,
} from './resources/fields.ts';
export { PageQueryOf, SortBy } from './resources/pages.ts';
export { SeriesQuerySchema, SeriesStart, refuseUnknownTimeZone, seriesOf } from './resources/series.ts';
export type { Series, SeriesQuery } from './resources/series.ts';
export { partialUpdate } from './resources/partial-update.ts';
export { transitions } from './resources/transitions.ts';
export type { TransitionNames, Transitions } from './resources/transitions.ts';
export { traceIdIn } from './request-log.ts';
export { readVersion, runService, stopSecondsMax } from './run.ts';
export type { RunOptions } from './run.ts';
export { clientSignal } from './server/client-signal.ts';
export { requestTimeout } from './server/broken-requests.ts';
export { sendInterimAnswers } from './server/interim-answers.ts';
export type { BodyPace } from './server/slow-bodies.ts';
export { createService } from './service.ts';
export type { Service, ServiceOptions } from './service.ts';
export { isUnsafeRoute } from './safe-methods.ts';
export * as settings from './settings.ts';
export { traceRequests } from './tracing/request-spans.ts';
export { locatedTokens } from './tokens/located-tokens.ts';
export type { LocatedToken, LocatedTokens, TokenPlace } from './tokens/located-tokens.ts';
export { bytesOfUuid, uuidOfBytes } from './tokens/uuid-bytes.ts';
