/** Starting, renewing, monitoring and ending sessions. They know the level of an authentication, but no methods. */
export { Sessions } from './sessions.ts';
export { sessionsRoutes } from './sessions.routes.ts';
export { documentConfinement, sessionAccess } from './access.plugin.ts';
export type { SessionAccess } from './access.plugin.ts';
export { markIn } from './devices/mark-in.ts';
export { recognizeClients } from './devices/client.plugin.ts';
export type { StepUpRequirement, SensitiveOperation } from './sensitive.ts';
export type { IssuedSession, Principal, StartedSession } from './session.ts';
export type { Beginning, CarriedSession, ConfinedStart } from './start.ts';
export {
  clearSessionCookies,
  currentSessionResponse,
  issuedSessionResponse,
  rememberBrowser,
} from './sessions.responses.ts';
export type { SessionReply } from './sessions.responses.ts';
export { refusalOf } from './session-context.repository.ts';
export { pendingChanges } from './pending/pending-changes.ts';
export type { PendingChange } from './pending/pending-changes.ts';
export { isWhole, wholeRenewal } from './renewal.ts';
export type { Renewal } from './renewal.ts';
export type { OwnedSession } from './refresh/refresh.ts';
export { refreshKey, shownRefreshToken } from './refresh/shown-token.http.ts';
export type { ReadRefreshToken } from './refresh/refresh-tokens.ts';
export {
  invalidRefreshToken,
  renewalRefusals,
  sessionEnded,
  sessionMissing,
  sessionConfined,
} from './sessions.errors.ts';
export {
  CurrentSessionAnswer,
  IssuedSessionSchema,
  RefreshAnswer,
  RefreshTokenSchema,
} from './sessions.schemas.ts';
