import { queryOptions, useQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useSessionStore, useTenantry } from '../sessions/sessions.queries.ts';
import { returnAddress } from '../sessions/ways/providers.queries.ts';
import { useCachedList } from './use-cached-list.ts';

/** Of the list of connections. */
export const connectionsKey = (organizationId: string) => [organizationId, 'connections'];

const connectionsQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: connectionsKey(organizationId),
    queryFn: async ({ signal }): Promise<readonly api.Connection[]> =>
      (await tenantry.listConnections({ path: { organizationId }, signal })).data.connections,
  });

/** The connections to identity providers, in order of creation. */
export function useConnections() {
  return useQuery(connectionsQuery(useTenantry(), useScope()));
}

const useList = () => useCachedList<api.Connection>(connectionsKey(useScope()));

/** Begins a connection: a draft, since the identity provider asks for its address first. */
export function useCreateConnection() {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (body: api.CreateConnectionBody): Promise<api.Connection> => {
      const { data } = await tenantry.createConnection({ path: { organizationId }, body });
      list.add(data.connection);
      return data.connection;
    },
    onError: list.readAgain,
  });
}

/** Changes a connection, or turns it on or off. */
export function useUpdateConnection({ id: connectionId }: api.Connection) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (body: Omit<api.UpdateConnectionBody, 'password'>) => {
      const { data } = await tenantry.updateConnection({ path: { organizationId, connectionId }, body });
      list.replace(data.connection);
    },
    onError: list.readAgain,
    // The secret is in what was sent.
    gcTime: 0,
  });
}

/** Reads what the identity provider says of itself. */
export function useTestConnection({ id: connectionId }: api.Connection) {
  const [tenantry, organizationId] = [useTenantry(), useScope()];
  return useMutation({
    mutationFn: async () =>
      (await tenantry.testConnection({ path: { organizationId, connectionId } })).data.test,
  });
}

/** Leaves for the identity provider, to link the caller's own account there; it leads back to `/sign-in/return`. */
export function useVisitToLink({ id: connectionId }: api.Connection) {
  const [{ tenantry, origin, leave }, organizationId] = [useSessionStore(), useScope()];
  return useMutation({
    mutationFn: async () => {
      const place = { organization: organizationId, connection: connectionId };
      const search = { for: 'organization-link', ...place, next: '/organization/access' };
      const body = { redirectTo: returnAddress(origin, search) };
      const { data } = await tenantry.beginConnectionLink({ path: { organizationId, connectionId }, body });
      leave(data.url);
    },
  });
}

/** Removes the link to the caller's own account. */
export function useUnlink({ id: connectionId }: api.Connection) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.unlinkConnection({ path: { organizationId, connectionId } });
      list.readAgain();
    },
    onError: list.readAgain,
  });
}

/** Deletes a connection. */
export function useDeleteConnection({ id: connectionId }: api.Connection) {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteConnection({ path: { organizationId, connectionId } });
      list.remove(connectionId);
    },
    onError: list.readAgain,
  });
}
