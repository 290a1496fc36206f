import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useReload, useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { madePasskey } from '../sessions/ways/passkeys.queries.ts';

const waysQuery = (tenantry: Tenantry, scope: string) =>
  queryOptions({
    queryKey: [scope, 'ways-in'],
    queryFn: async ({ signal }) => (await tenantry.getWaysIn({ signal })).data,
  });

/** The user's sign-in methods. */
export function useWaysIn() {
  return useQuery(waysQuery(useTenantry(), useScope()));
}

/** Changes one of them, and reloads the list and the activity. */
function useChange<Given>(change: (tenantry: Tenantry, given: Given) => Promise<unknown>) {
  const [tenantry, queries, scope, reload] = [useTenantry(), useQueryClient(), useScope(), useReload()];
  return useMutation({
    mutationFn: async (given: Given) => {
      await change(tenantry, given);
      await reload();
      await queries.invalidateQueries({ queryKey: [scope, 'ways-in'] });
      await queries.invalidateQueries({ queryKey: [scope, 'activity'] });
    },
  });
}

/** Creates a passkey in this browser and adds it. */
export const useAddPasskey = () =>
  useChange(async (tenantry, name: string) => {
    const { options } = (await tenantry.getPasskeyOptions({ body: {} })).data;
    const response = await madePasskey(options);
    if (response) await tenantry.addPasskey({ body: { ...(name !== '' && { name }), response } });
  });

/** Removes a passkey. */
export const useRemovePasskey = () =>
  useChange((tenantry, { id }: Pick<api.Passkey, 'id'>) =>
    tenantry.removePasskey({ path: { id }, body: {} }),
  );

/** Unlinks an account at a provider. */
export const useUnlinkIdentity = () =>
  useChange((tenantry, { id }: Pick<api.Identity, 'id'>) =>
    tenantry.unlinkIdentity({ path: { id }, body: {} }),
  );

/** Removes the password. */
export const useRemovePassword = () => useChange((tenantry) => tenantry.removePassword({ body: {} }));
