export type { AccessChecks, RouteAccess } from '../routes/access.ts';
export {
  acceptFormsOnly,
  acceptJsonOnly,
  acceptStreamOnly,
  readBytes,
  readPieces,
} from '../routes/bodies.ts';
export type { PostedForm } from '../routes/bodies.ts';
export { isUnsafe, isUnsafeRoute } from '../routes/methods.ts';
export { sharedFor } from '../health/health.ts';
export type { HealthCheck, HealthChecks, HealthReport, UnreadyReason } from '../health/health.ts';
export { requestTimeout } from '../server/broken-requests.ts';
export { sendInterimAnswers } from '../server/interim-answers.ts';
export { endWithAccess, whileAllowed } from '../server/lasting-access.ts';
export { paceWithin } from '../server/slow-bodies.ts';
export { traceRequests } from './request-spans.ts';
export { readVersion, runApp, stopSecondsMax } from './run.ts';
export { createService } from './service.ts';
export type { Service, ServiceOptions } from './service.ts';
