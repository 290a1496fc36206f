/** Who did what to whom, from where and when: written in the transaction of the action, and append-only. */
export { Audit, forgetInTrails, recordAudit, recordDoneTo, recordOwnAudit } from './audit.ts';
export { auditRoutes } from './audit.routes.ts';
export { keptFields } from './audit-actions.ts';
export type { OwnAction } from './audit-actions.ts';
