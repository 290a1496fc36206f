export { memberOf } from '@tenantry/jwt-verify/fastify';
export { Audit } from './audit/audit.ts';
export type { RolePermissions } from './permissions.ts';
export type {
  AuditChange,
  AuditEntry,
  AuditEvent,
  AuditPage,
  AuditQuery,
  AuditTarget,
} from './audit/audit-entry.ts';
export { auditRoutes } from './audit/audit.routes.ts';
export type { AuditRoutesOptions } from './audit/audit.routes.ts';
export { keepsAuditTrail } from './audit/audit-retention.ts';
export type { Context, ContextOf } from './context.ts';
export type { Member, Organization, PostalAddress } from '@tenantry/contracts';
export { EventReader, type EventReaderOptions } from './events/event-reader.ts';
export type { PeerConfig } from './events/feed.ts';
export { tellPeer } from './events/tell-peer.ts';
export type { TellPeerOptions, Told } from './events/tell-peer.ts';
export type { Projection } from './events/projection.ts';
export { peerSettings } from './peer-settings.ts';
export { canonicalJson } from './canonical-json.ts';
export { defineBusinessService } from './business-service.ts';
export type { BusinessService } from './business-service.ts';
export { daySeconds } from './housekeeping.ts';
export type { Chores } from './housekeeping.ts';
export type {
  BusinessConfig,
  BusinessDefinition,
  BusinessFeatures,
  BusinessParts,
  NoSettings,
} from './definition.ts';
export type { FollowedLink, LinkedRow, OpenLink, OpenedLink } from './links.ts';
export type { Tenant, TenantOf } from './tenants.ts';
export { IdempotencyKeyHeaders } from './idempotency/idempotent-route.ts';
export type { IdempotentRoute } from './idempotency/idempotent-route.ts';
export { SuggestionsAnswerOf, SuggestionsQuery } from './suggestions.ts';
