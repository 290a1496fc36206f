export {
  authenticate,
  authorize,
  readsGoOn,
  requireOrganization,
  requireRecentFactor,
  type AuthenticateOptions,
  type BearerRequest,
  type RecentFactor,
  type StalePolicy,
} from './access.ts';
export {
  AccessError,
  TokenError,
  type AccessErrorCode,
  type AccessErrorReason,
  type RefusalHeaders,
  type TokenErrorCode,
  type TokenErrorDetails,
} from './errors.ts';
export type { AuthenticationLevel, Claims, Identity, Member } from './identity.ts';
export type {
  AroundReading,
  CommonOptions,
  IssuerOptions,
  RevocationOptions,
  SeveralIssuers,
  VerifierOptions,
  WarningLog,
} from './options.ts';
export {
  can,
  definePermissions,
  permissions,
  type Permission,
  type PermissionRule,
  type Permissions,
  type PermissionTable,
  type Role,
} from './permissions.ts';
export type { ClockStatus, KeyStatus, RevocationStatus } from './readiness.ts';
export type { Revocation } from './revocations.ts';
export { createVerifier } from './create-verifier.ts';
export type { Verifier } from './verifier.ts';
