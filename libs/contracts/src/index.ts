export {
  accountPath,
  accountsPath,
  AccountAnswer,
  CallerHeaders,
  NewAccount,
  Removal,
  Renaming,
} from './accounts.ts';
export {
  Member,
  MemberKey,
  Organization,
  PostalAddress,
  eventsPath,
  everyone,
  EventPage,
  EventPageAnswer,
  readEvent,
} from './events.ts';
export { connectionsMax } from './connections.ts';
export { domainsMax } from './domains.ts';
export type { AuthEvent, EventOf } from './events.ts';
export { cursorUnknownStatus, FeedQuery, PostponingFeedQuery, postponedMax } from './feeds.ts';
export {
  ExportBegun,
  exportsPath,
  logoBounds,
  logoBytesMax,
  logoPath,
  Standing,
  standingPath,
} from './organizations.ts';
export { Revocation, RevocationPageAnswer, revocationKindsHeader, revocationsPath } from './revocations.ts';
export { apiKeyPrefix, apiKeysMax, serviceAccountsMax, serviceTokenPath } from './service-accounts.ts';
export { misplacedScimToken, scimPath, scimTokenPrefix, scimTokensMax } from './scim.ts';
export { permissions, serviceReasons, serviceRules } from './services.ts';
export type { Permission, ServiceReason } from './services.ts';
