import { definePermissions } from '@tenantry/jwt-verify';

/** Those of a service that has invoices. */
export const permissions = definePermissions({
  owner: ['invoices:read', 'invoices:write', 'invoices:delete'],
  manager: ['invoices:read', 'invoices:write', 'invoices:delete'],
  member: ['invoices:read'],
});
