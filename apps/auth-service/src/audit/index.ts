/** Who did what to whom, from where and when: written with what it records, and only ever added to. */
export { Audit, forgetInTrails, recordAudit, recordDoneTo, recordOwnAudit } from './audit.ts';
export { auditRoutes } from './audit.routes.ts';
export type { OwnAction } from './audit-actions.ts';
