import { queryOptions, useQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { useCachedList } from './use-cached-list.ts';

type Accounts = readonly api.ServiceAccount[];

const accountsKey = (organizationId: string) => [organizationId, 'service-accounts'];

const accountsQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: accountsKey(organizationId),
    queryFn: async ({ signal }): Promise<Accounts> =>
      (await tenantry.listServiceAccounts({ path: { organizationId }, signal })).data.serviceAccounts,
  });

/** The service accounts with their keys, in order of creation. */
export function useServiceAccounts() {
  return useQuery(accountsQuery(useTenantry(), useScope()));
}

const rolesQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'permissions-of-roles'],
    queryFn: async ({ signal }) => (await tenantry.listPermissions({ signal })).data.roles,
    staleTime: Infinity,
  });

/** The permissions of each role. */
export function usePermissionsOfRoles() {
  return useQuery(rolesQuery(useTenantry(), useScope()));
}

const useList = () => useCachedList<api.ServiceAccount>(accountsKey(useScope()));

const withKeys =
  (accountId: string, change: (keys: readonly api.ApiKey[]) => readonly api.ApiKey[]) =>
  (accounts: Accounts): Accounts =>
    accounts.map((account) =>
      account.id === accountId ? { ...account, keys: [...change(account.keys)] } : account,
    );

/** Creates a service account. */
export function useCreateServiceAccount() {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (body: api.CreateServiceAccountBody): Promise<api.ServiceAccount> => {
      const { data } = await tenantry.createServiceAccount({ path: { organizationId }, body });
      list.add(data.serviceAccount);
      return data.serviceAccount;
    },
    onError: list.readAgain,
  });
}

/** Changes the name or the role of a service account. */
export function useUpdateServiceAccount({ id: accountId }: api.ServiceAccount) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (body: Pick<api.UpdateServiceAccountBody, 'name' | 'role'>) => {
      const { data } = await tenantry.updateServiceAccount({ path: { organizationId, accountId }, body });
      list.replace(data.serviceAccount);
    },
    onError: list.readAgain,
  });
}

/** Deletes a service account, with its keys. */
export function useDeleteServiceAccount({ id: accountId }: api.ServiceAccount) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteServiceAccount({ path: { organizationId, accountId } });
      list.remove(accountId);
    },
    onError: list.readAgain,
  });
}

/** Creates a key, which its answer shows once: nothing keeps it beyond the dialog. */
export function useCreateKey({ id: accountId }: api.ServiceAccount) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (
      body: Pick<api.CreateApiKeyBody, 'name' | 'expiresAt' | 'permissions'>,
    ): Promise<api.CreateApiKeyAnswer> => {
      const { data } = await tenantry.createApiKey({ path: { organizationId, accountId }, body });
      list.change(withKeys(accountId, (keys) => [...keys, data.apiKey]));
      return data;
    },
    onError: list.readAgain,
    gcTime: 0,
  });
}

/** Deletes a key. */
export function useDeleteKey({ id: accountId }: api.ServiceAccount, { id: keyId }: api.ApiKey) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteApiKey({ path: { organizationId, accountId, keyId } });
      list.change(withKeys(accountId, (keys) => keys.filter(({ id }) => id !== keyId)));
    },
    onError: list.readAgain,
  });
}
