export {
  authenticate,
  authorize,
  readsGoOn,
  requireRecentFactor,
  type AccessOptions,
  type BearerRequest,
  type RecentFactor,
  type StalePolicy,
} from './access.ts';
export {
  AccessError,
  TokenError,
  type AccessErrorCode,
  type RefusalHeaders,
  type TokenErrorCode,
} from './errors.ts';
export type { Identity, Member } from './identity.ts';
export { can, permissions, type Permission, type Role } from './permissions.ts';
export type { Revocation } from './revocations.ts';
export {
  createVerifier,
  type RevocationOptions,
  type RevocationStatus,
  type Verifier,
  type VerifierOptions,
} from './verifier.ts';
