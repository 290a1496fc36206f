import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useSessionStore, useTenantry } from '../sessions/sessions.queries.ts';

type Connections = readonly api.Connection[];

const connectionsKey = (organizationId: string) => [organizationId, 'connections'];

const connectionsQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: connectionsKey(organizationId),
    queryFn: async ({ signal }): Promise<Connections> =>
      (await tenantry.listConnections({ path: { organizationId }, signal })).data.connections,
  });

/** The connections to identity providers, in order of creation. */
export function useConnections() {
  return useQuery(connectionsQuery(useTenantry(), useScope()));
}

/** How the list is brought up to date after a change. */
function useList() {
  const [queries, organizationId] = [useQueryClient(), useScope()];
  const queryKey = connectionsKey(organizationId);
  return {
    change: (changed: (connections: Connections) => Connections) =>
      queries.setQueryData<Connections>(queryKey, (connections) => connections && changed(connections)),
    // What was refused may have been changed by somebody else.
    readAgain: () => void queries.invalidateQueries({ queryKey }),
  };
}

/** Begins a connection: a draft, since the identity provider asks for its address first. */
export function useCreateConnection() {
  const [tenantry, organizationId, list] = [useTenantry(), useScope(), useList()];
  return useMutation({
    mutationFn: async (body: api.CreateConnectionBody): Promise<api.Connection> => {
      const { data } = await tenantry.createConnection({ path: { organizationId }, body });
      list.change((connections) => [...connections, data.connection]);
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
      const changed = data.connection;
      list.change((connections) => connections.map((each) => (each.id === connectionId ? changed : each)));
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
      const search = new URLSearchParams({
        for: 'organization-link',
        ...place,
        next: '/organization/access',
      });
      const body = { redirectTo: `${origin}/sign-in/return?${search.toString()}` };
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
      list.change((connections) => connections.filter(({ id }) => id !== connectionId));
    },
    onError: list.readAgain,
  });
}
