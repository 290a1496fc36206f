export { Audit } from './audit.ts';
export type { AuditEvent } from './audit-entry.ts';
export { auditRoutes } from './audit.routes.ts';
export { keepsAuditTrail } from './audit-retention.ts';
