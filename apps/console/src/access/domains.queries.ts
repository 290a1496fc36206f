import { queryOptions, useQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { useCachedList } from './use-cached-list.ts';

const domainsKey = (organizationId: string) => [organizationId, 'domains'];

const domainsQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: domainsKey(organizationId),
    queryFn: async ({ signal }): Promise<readonly api.Domain[]> =>
      (await tenantry.listDomains({ path: { organizationId }, signal })).data.domains,
  });

/** The domains with their records, in order of creation. */
export function useDomains() {
  return useQuery(domainsQuery(useTenantry(), useScope()));
}

const useList = () => useCachedList<api.Domain>(domainsKey(useScope()));

/** Adds a domain, by which nobody joins yet. */
export function useAddDomain() {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (domain: string): Promise<api.Domain> => {
      const body = { domain, joins: 'nobody' } as const;
      const { data } = await tenantry.addDomain({ path: { organizationId }, body });
      list.add(data.domain);
      return data.domain;
    },
  });
}

/** Looks for the record of a domain. */
export function useVerifyDomain({ id: domainId }: api.Domain) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async () => {
      const { data } = await tenantry.verifyDomain({ path: { organizationId, domainId } });
      list.replace(data.domain);
    },
  });
}

/** Changes who may join by a domain. */
export function useUpdateDomain({ id: domainId }: api.Domain) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (joins: api.Domain['joins']) => {
      const { data } = await tenantry.updateDomain({ path: { organizationId, domainId }, body: { joins } });
      list.replace(data.domain);
    },
    onError: list.readAgain,
  });
}

/** Deletes a domain. */
export function useDeleteDomain({ id: domainId }: api.Domain) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteDomain({ path: { organizationId, domainId } });
      list.remove(domainId);
    },
    onError: list.readAgain,
  });
}
