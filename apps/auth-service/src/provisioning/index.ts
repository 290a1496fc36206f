/** Accounts that organizations create and end for their people, asked for by peer services. */
export { createProvisioning } from './provisioning.ts';
export type { Provisioning } from './provisioning.ts';
export { provisioningRoutes } from './provisioning.routes.ts';
