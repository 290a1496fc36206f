import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { TenantDatabase, TenantScope } from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import { sentToken } from './replica.ts';

/** Returns the rows of the organization of a request. */
export type TenantOf = (request: FastifyRequest) => Tenant;

/** The rows of one organization. */
export type Tenant = TenantScope<{ readonly organizationId: string }>;

/** Which rows each request works on. */
export class RequestTenants {
  readonly #database: TenantDatabase;
  readonly #lent = new WeakMap<FastifyRequest, Tenant>();

  constructor(database: TenantDatabase) {
    this.#database = database;
  }

  /** Those of the organization that its verified token names. */
  of(request: FastifyRequest): Tenant {
    const lent = this.#lent.get(request);
    if (lent) return lent;
    const { organizationId } = memberOf(request);
    return request.routeOptions.config.mayReadReplica === true
      ? this.#database.recent({ organizationId }, sentToken(request))
      : this.#database.within({ organizationId });
  }

  /** Runs the request's queries in a transaction while `work` runs. */
  async lend<Result>(request: FastifyRequest, tenant: Tenant, work: () => Promise<Result>): Promise<Result> {
    this.#lent.set(request, tenant);
    try {
      return await work();
    } finally {
      this.#lent.delete(request);
    }
  }
}
