export { memberOf } from '@tenantry/jwt-verify/fastify';
export { createAudit } from './audit/audit.ts';
export type { Audit, AuditEntry, AuditEvent, AuditPage, AuditQuery, AuditTarget } from './audit/audit.ts';
export { auditRoutes } from './audit/audit.routes.ts';
export type { AuditRoutesOptions } from './audit/audit.routes.ts';
export type { BackgroundWork } from './background.ts';
export { buildBusinessService, openDatabase } from './build.ts';
export type { BuildOptions } from './build.ts';
export type { Member, Organization, PostalAddress } from './events/event.ts';
export { createEventReader } from './events/event-reader.ts';
export type { EventReader, EventReaderOptions } from './events/event-reader.ts';
export type { PeerConfig } from './events/feed.ts';
export type { Projection } from './events/projection.ts';
export { peerSettings } from './peer-settings.ts';
export { defineBusinessService } from './definition.ts';
export type {
  BusinessService,
  NoSettings,
  ServiceConfig,
  ServiceDefinition,
  ServiceFeatures,
  ServiceRoutes,
} from './definition.ts';
export type { FollowedLink, LinkedRow, OpenLink, OpenedLink } from './links.ts';
export type { Manifest } from './manifest.ts';
export type { ServiceParts, Tenant, TenantOf } from './parts.ts';
export { runBusinessService } from './run.ts';
export { IdempotencyKeyHeaders } from './idempotency/idempotent-route.ts';
