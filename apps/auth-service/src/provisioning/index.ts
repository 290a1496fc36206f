/** Accounts that organizations create and delete for their members, on request of peer services. */
export { Provisioning } from './provisioning.ts';
export { provisioningRoutes } from './provisioning.routes.ts';
