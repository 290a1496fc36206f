import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useReload, useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { dataUrlOf, logoOf } from './logo-file.ts';

/** Changes what is named; the session knows the organization by its name. */
export function useUpdateOrganization() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  const reload = useReload();
  return useMutation({
    mutationFn: async (body: api.UpdateOrganizationBody) => {
      const { data } = await tenantry.updateOrganization({ path: { organizationId }, body });
      queries.setQueryData([organizationId, 'organization'], data.organization);
      await reload();
    },
  });
}

const logoQuery = (tenantry: Tenantry, organizationId: string, digest: string | null) =>
  queryOptions({
    queryKey: [organizationId, 'logo', digest],
    queryFn: async ({ signal }): Promise<string> =>
      dataUrlOf((await tenantry.getOrganizationLogo({ path: { organizationId }, signal })).data),
    enabled: digest !== null,
    staleTime: Infinity,
  });

/** The logo of a digest, as an address to show; nothing is asked where there is none. */
export function useLogo(digest: string | null) {
  return useQuery(logoQuery(useTenantry(), useScope(), digest));
}

/** Sets the logo: a picture that is too large is made smaller first. */
export function useSetLogo() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async (file: Blob) => {
      const { data } = await tenantry.putOrganizationLogo({
        path: { organizationId },
        body: await logoOf(file),
      });
      queries.setQueryData<api.Organization>([organizationId, 'organization'], (organization) =>
        organization ? { ...organization, logo: data.logo } : organization,
      );
    },
  });
}

/** Removes the logo. */
export function useRemoveLogo() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteOrganizationLogo({ path: { organizationId } });
      queries.setQueryData<api.Organization>([organizationId, 'organization'], (organization) =>
        organization ? { ...organization, logo: null } : organization,
      );
    },
  });
}

const withoutTwoFactorQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'people', 'without-two-factor'],
    queryFn: async ({ signal }) => {
      const query = { twoFactor: 'off' as const, pageSize: 100 };
      return (await tenantry.listMembers({ path: { organizationId }, query, signal })).data;
    },
  });

/** The members who cannot sign in with two factors, and how many they are. */
export function useMembersWithoutTwoFactor() {
  return useQuery(withoutTwoFactorQuery(useTenantry(), useScope()));
}

/** Deletes the organization, and continues wherever one belongs besides. */
export function useDeleteOrganization() {
  const [tenantry, organizationId, reload] = [useTenantry(), useScope(), useReload()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteOrganization({ path: { organizationId } });
      await reload();
    },
  });
}
