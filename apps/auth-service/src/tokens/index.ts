/** Access tokens: issued, verified, revoked; the keys that sign them; the CSRF token that goes with a session. */
export { createTokens } from './wing.ts';
export type { Tokens } from './wing.ts';
export { tokensRoutes } from './tokens.routes.ts';
export { usersOnly } from './access-tokens/users-only.plugin.ts';
export { onceValid } from './access-tokens/once-valid.ts';
export type { AccessToken, ServiceToken } from './access-tokens/access-tokens.ts';
export {
  recordKeyRevocations,
  recordOrganizationRevocation,
  recordRevocation,
} from './revocations/revocations.ts';
export { KeyOperations, KeyUnknownError } from './signing-keys/key-operations.ts';
export type { ListedKey } from './signing-keys/key-operations.ts';
export { keySchedule } from './signing-keys/key-schedule.ts';
export type { KeySchedule } from './signing-keys/key-schedule.ts';
export { signingLeaseMs } from './signing-keys/signing-keys.ts';
