import { queryOptions, useQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { unsaved } from '../design/unsaved.ts';
import { useReload, useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';

const joinableQuery = (tenantry: Tenantry, scope: string) =>
  queryOptions({
    queryKey: [scope, 'joinable-organizations'],
    queryFn: async ({ signal }): Promise<readonly api.JoinableOrganization[]> =>
      (await tenantry.listJoinableOrganizations({ signal })).data.organizations,
    // An offer: it may be old, and is nothing to report the failure of.
    staleTime: 10 * 60_000,
  });

/** The organizations that the reader may join by their address; none until it is known. */
export function useJoinableOrganizations(): readonly api.JoinableOrganization[] {
  const { session } = useSignedIn();
  const query = joinableQuery(useTenantry(), useScope());
  const { data = [] } = useQuery({ ...query, enabled: session.confinedTo === undefined });
  return data;
}

/** Joins an organization, and switches to it, unless the user stays because of unsaved changes. */
export function useJoinOrganization() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async ({ id: organizationId, twoFactorRequired }: api.JoinableOrganization) => {
      if (!(await unsaved.mayLeave('session'))) return;
      await tenantry.joinOrganization({ body: { organizationId } });
      // Without a second factor the menu says what is missing.
      const switching = tenantry.switchOrganization({ body: { organizationId } });
      await (twoFactorRequired ? switching.catch(() => undefined) : switching);
      await reload();
    },
  });
}
