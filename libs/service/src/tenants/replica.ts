import type { Replica } from '@tenantry/tenancy';
import type { FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import type { Service } from '../http/service.ts';
import type { Measurement } from '../metrics/measurement.ts';
import { measureShares } from '../metrics/share-metrics.ts';
import { consistencyTokenHeader, withGivenToken } from '../resources/consistency-tokens.ts';
import { isUnsafeRoute } from '../routes/methods.ts';
import type { BackgroundWork } from '../work/background.ts';

/**
 * Adds a token to the responses of changes if there is a replica, and documents it in OpenAPI in any case. Call it before
 * routes are added.
 */
export function giveConsistencyTokens(app: Service, replica: Replica | undefined): void {
  app.addHook('onRoute', (route) => {
    const isUnsafe = isUnsafeRoute(route);
    const isOfMembers = route.config?.access?.includes(':') ?? false;
    if (route.config?.mayReadReplica === true && (isUnsafe || !isOfMembers)) {
      throw new Error(`${route.url} may read a replica and has to be a GET with a permission.`);
    }
    if (!isUnsafe || !isOfMembers) return;
    route.schema = withGivenToken(route.schema);
    if (replica) route.onSend = [...[route.onSend ?? []].flat(), tokenFrom(replica)];
  });
}

/** Gets the token after the handler, when the change is committed. */
const tokenFrom =
  (replica: Replica): onSendAsyncHookHandler =>
  async (_request, reply, payload) => {
    if (reply.statusCode < 400) reply.header(consistencyTokenHeader, await replica.token());
    return payload;
  };

/** The token that a request came with. */
export function sentToken({ headers }: FastifyRequest): string | undefined {
  const token = headers[consistencyTokenHeader];
  return token === undefined ? undefined : String(token);
}

/** Watches the replica while the service runs. */
export function watchReplica(replica: Replica): BackgroundWork {
  return {
    start: () => replica.start(),
    close: () => replica.close(),
    measurements: replicaMeasurements(replica),
  };
}

function replicaMeasurements(replica: Replica): Measurement[] {
  return [
    ...replica.pool.shares.shares.flatMap(measureShares),
    {
      name: 'tenantry_replica_reads_total',
      help: 'Reads that a replica may answer, by what came of it; the primary answers what the replica does not',
      type: 'counter',
      read: () =>
        Object.entries(replica.outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: 'tenantry_replica_lag_seconds',
      help: 'How long ago the primary was where the replica is; infinite while the replica is away',
      type: 'gauge',
      read: () => [{ value: replica.lagMs / 1_000 }],
    },
  ];
}
