import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { TenantDatabase, TenantScope } from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import { sentToken } from './replica.ts';

/** Gives the rows of the organization in whose name a request comes. */
export type TenantOf<Client> = (request: FastifyRequest) => Tenant<Client>;

/** The rows of one organization. */
export type Tenant<Client> = TenantScope<Client, { readonly organizationId: string }>;

/** Which rows each request works on. */
export interface RequestTenants<Client> {
  readonly of: TenantOf<Client>;
  /** Has a request work in a transaction while `work` runs. */
  lend<Result>(request: FastifyRequest, tenant: Tenant<Client>, work: () => Promise<Result>): Promise<Result>;
}

/** Gives each request the rows of the organization that its verified token names. */
export function createRequestTenants<Client>(database: TenantDatabase<Client>): RequestTenants<Client> {
  const lent = new WeakMap<FastifyRequest, Tenant<Client>>();
  const rowsOf: TenantOf<Client> = (request) => {
    const { organizationId } = memberOf(request);
    return request.routeOptions.config.mayReadReplica === true
      ? database.recent({ organizationId }, sentToken(request))
      : database.within({ organizationId });
  };
  return {
    of: (request) => lent.get(request) ?? rowsOf(request),
    async lend(request, tenant, work) {
      lent.set(request, tenant);
      try {
        return await work();
      } finally {
        lent.delete(request);
      }
    },
  };
}
