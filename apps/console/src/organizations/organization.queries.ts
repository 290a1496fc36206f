import { queryOptions, useQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';

/** One for all pages: what one of them has read or changed, the others show. */
const organizationQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'organization'],
    queryFn: async ({ signal }): Promise<api.Organization> =>
      (await tenantry.getOrganization({ path: { organizationId }, signal })).data.organization,
  });

/** The organization and its settings. */
export function useOrganization() {
  return useQuery(organizationQuery(useTenantry(), useScope()));
}

/** The same as its quotes show it, and how it writes new ones: it may be a minute old. */
export function useSender({ enabled = true } = {}) {
  return useQuery({ ...organizationQuery(useTenantry(), useScope()), enabled, staleTime: 60_000 });
}
