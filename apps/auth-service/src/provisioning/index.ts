/** Accounts that organizations create and end for their people, asked for by peer services. */
export { Provisioning } from './provisioning.ts';
export { provisioningRoutes } from './provisioning.routes.ts';
