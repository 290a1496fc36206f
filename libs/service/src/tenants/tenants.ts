import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { TenantDatabase, TenantScope } from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import { sentToken } from './replica.ts';

/** Returns the rows of the organization of a request. */
export type TenantOf = (request: FastifyRequest) => Tenant;

/** The rows of one organization. */
export type Tenant = TenantScope<{ readonly organizationId: string }>;

/** Makes {@link TenantOf}: the organization is that of the verified token. */
export function createTenantOf(database: TenantDatabase): TenantOf {
  return (request) => {
    const { organizationId } = memberOf(request);
    return request.routeOptions.config.mayReadReplica === true
      ? database.recent({ organizationId }, sentToken(request))
      : database.within({ organizationId });
  };
}
