import { memberOf } from '@tenantry/service/business';
import type { EventReader } from '@tenantry/service/events';
import type { FastifyRequest } from 'fastify';
import type { Requests, Tenant } from '../database.ts';
import type { Directory } from './users.ts';

/** Returns the directory for a request that reads it. */
export type DirectoryOf = (request: FastifyRequest) => Promise<Directory>;

interface DirectoryOptions extends Pick<Requests, 'tenantOf'> {
  readonly reader: Pick<EventReader, 'currentUnlessAway' | 'unchangedMs'>;
  /** The rows of an organization, as the primary has them. */
  readonly primaryOf: (organizationId: string) => Tenant;
}

/** A replica has what was written this long ago, or it is not asked. */
const replicaLagMs = 1_000;

/**
 * Makes {@link DirectoryOf}: it waits until all earlier changes have arrived, or throws UPSTREAM_UNAVAILABLE. While auth-service
 * is away the directory stays readable.
 */
export function createDirectoryOf({ reader, primaryOf, tenantOf }: DirectoryOptions): DirectoryOf {
  return async (request) => {
    const { organizationId } = memberOf(request);
    const arrival = await reader.currentUnlessAway(organizationId);
    const isOnReplica = reader.unchangedMs > 2 * replicaLagMs;
    return { arrival, tenant: isOnReplica ? tenantOf(request) : primaryOf(organizationId) };
  };
}
