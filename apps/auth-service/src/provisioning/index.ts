/** Accounts that organizations create and delete for their members: on request of peer services, and of their directories by SCIM. */
export { Provisioning } from './provisioning.ts';
export { provisioningRoutes } from './provisioning.routes.ts';
export { scimRoutes } from './scim/scim.routes.ts';
export { directoryGroupsRoutes } from './scim/directory-groups.routes.ts';
export { scimTokensRoutes } from './scim/scim-tokens.routes.ts';
