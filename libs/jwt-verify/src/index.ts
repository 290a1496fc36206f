export {
  authenticate,
  authorize,
  readsGoOn,
  requireOrganization,
  requireRecentFactor,
  requireUser,
  type AuthenticateOptions,
  type BearerRequest,
  type RecentFactor,
  type StalePolicy,
} from './requests/access.ts';
export { recheck } from './requests/recheck.ts';
export {
  AccessError,
  TokenError,
  type AccessErrorCode,
  type AccessErrorReason,
  type RefusalHeaders,
  type TokenErrorCode,
  type TokenErrorDetails,
} from './tokens/errors.ts';
export type { AuthenticationLevel, CallerKind, Claims, Identity, Member } from './tokens/identity.ts';
export type {
  AroundReading,
  CommonOptions,
  IssuerOptions,
  RevocationOptions,
  SeveralIssuers,
  VerifierOptions,
  WarningLog,
} from './issuer/options.ts';
export {
  can,
  definePermissions,
  type PermissionRule,
  type Permissions,
  type PermissionTable,
  type Role,
} from './tokens/permissions.ts';
export type { ClockStatus, KeyStatus, RevocationStatus } from './verifier/readiness.ts';
export type { Revocation } from './issuer/revocations.ts';
export { createVerifier } from './verifier/create-verifier.ts';
export type { Verifier } from './verifier/verifier.ts';
