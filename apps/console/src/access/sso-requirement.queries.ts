import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useReload, useScope, useTenantry } from '../sessions/sessions.queries.ts';

/** Of whether the organization requires single sign-on. */
export const ssoRequirementKey = (organizationId: string) => [organizationId, 'sso-requirement'];

const ssoRequirementQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: ssoRequirementKey(organizationId),
    queryFn: async ({ signal }): Promise<api.SsoRequirement> =>
      (await tenantry.getSsoRequirement({ path: { organizationId }, signal })).data.requirement,
  });

/** Whether the organization requires single sign-on, and who would not get in. */
export function useSsoRequirement() {
  return useQuery(ssoRequirementQuery(useTenantry(), useScope()));
}

/** Requires single sign-on, or does so no more. */
export function useSetSsoRequirement() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  const reload = useReload();
  const queryKey = ssoRequirementKey(organizationId);
  return useMutation({
    mutationFn: async (required: boolean) => {
      const { data } = await tenantry.setSsoRequirement({ path: { organizationId }, body: { required } });
      queries.setQueryData(queryKey, data.requirement);
      await reload();
    },
    // The hour may be over, or somebody else may have changed it.
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
