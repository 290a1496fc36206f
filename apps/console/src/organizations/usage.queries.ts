import { queryOptions, useQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';

const operations = {
  leads: 'getLeadsUsage',
  quotes: 'getQuotationUsage',
  people: 'getUsersUsage',
} as const;

/** What stores something for an organization, each with a quota of its own. */
export type StoringService = keyof typeof operations;

/** All of them. */
export const storingServices = Object.keys(operations) as readonly StoringService[];

const usageQuery = (tenantry: Tenantry, organizationId: string, service: StoringService) =>
  queryOptions({
    queryKey: [organizationId, 'usage', service],
    queryFn: async ({ signal }): Promise<api.StorageUsage> =>
      (await tenantry[operations[service]]({ signal })).data,
  });

/** The members and open invitations of the organization, and how many it may have. */
export function usePeopleUsage() {
  const [tenantry, organizationId] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: [organizationId, 'usage'],
    queryFn: async ({ signal }): Promise<api.OrganizationUsage> =>
      (await tenantry.getOrganizationUsage({ path: { organizationId }, signal })).data.usage,
  });
}

/** What the organization stores in a service, and its quota. */
export function useUsage(service: StoringService) {
  return useQuery(usageQuery(useTenantry(), useScope(), service));
}
