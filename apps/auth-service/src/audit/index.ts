/** Who did what to whom, from where and when: written with what it records, and only ever added to. */
export { createAudit, forgetWhereabouts, recordAudit } from './audit.ts';
export { auditRoutes } from './audit.routes.ts';
export type { AuditAction } from './audit-actions.ts';
