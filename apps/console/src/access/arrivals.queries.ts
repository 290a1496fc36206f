import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useEffect } from 'react';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { connectionsKey } from './connections.queries.ts';
import { ssoRequirementKey } from './sso-requirement.queries.ts';

/** Somebody sets up an identity provider in another window, and looks here for what came of it. */
const lookAgainMs = 10_000;

const arrivalsQuery = (tenantry: Tenantry, organizationId: string, connectionId: string) =>
  queryOptions({
    queryKey: [organizationId, 'arrivals', connectionId],
    queryFn: async ({ signal }): Promise<readonly api.Arrival[]> => {
      const path = { organizationId, connectionId };
      return (await tenantry.listArrivals({ path, signal })).data.arrivals;
    },
    refetchInterval: lookAgainMs,
  });

/** What arrived, newest first; with each that is new, what else depends on it is read again. */
export function useArrivals({ id }: Pick<api.Connection, 'id'>) {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  const arrivals = useQuery(arrivalsQuery(tenantry, organizationId, id));
  const newest = arrivals.data?.[0]?.at;
  useEffect(() => {
    if (newest === undefined) return;
    void queries.invalidateQueries({ queryKey: connectionsKey(organizationId) });
    void queries.invalidateQueries({ queryKey: ssoRequirementKey(organizationId) });
  }, [queries, organizationId, newest]);
  return arrivals;
}
