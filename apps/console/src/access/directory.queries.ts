import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';

type Directory = api.ListScimTokensAnswer;
/** What a group makes of the people in it; null for nothing. */
export type RoleByGroup = api.DirectoryGroup['role'];

const directoryKey = (organizationId: string, connectionId: string) => [
  organizationId,
  'directory',
  connectionId,
];

const directoryQuery = (tenantry: Tenantry, organizationId: string, connectionId: string) =>
  queryOptions({
    queryKey: directoryKey(organizationId, connectionId),
    queryFn: async ({ signal }): Promise<Directory> =>
      (await tenantry.listScimTokens({ path: { organizationId, connectionId }, signal })).data,
  });

/** The directory behind a connection: where it provisions, whom, and with which tokens. */
export function useDirectory({ id }: api.Connection) {
  return useQuery(directoryQuery(useTenantry(), useScope(), id));
}

function useCachedTokens({ id }: api.Connection) {
  const [queries, organizationId] = [useQueryClient(), useScope()];
  const queryKey = directoryKey(organizationId, id);
  return {
    change: (changed: (tokens: readonly api.ScimToken[]) => api.ScimToken[]) =>
      queries.setQueryData<Directory>(
        queryKey,
        (directory) => directory && { ...directory, scimTokens: changed(directory.scimTokens) },
      ),
    // What was refused may have been changed by somebody else.
    readAgain: () => void queries.invalidateQueries({ queryKey }),
  };
}

/** Creates a token, which the answer shows once. */
export function useCreateScimToken(connection: api.Connection) {
  const [tenantry, organizationId, tokens] = [useTenantry(), useScope(), useCachedTokens(connection)];
  return useMutation({
    mutationFn: async (): Promise<string> => {
      const path = { organizationId, connectionId: connection.id };
      const { data } = await tenantry.createScimToken({ path, body: {} });
      tokens.change((all) => [...all, data.scimToken]);
      return data.token;
    },
    onError: tokens.readAgain,
    // The token is in the answer.
    gcTime: 0,
  });
}

/** Deletes a token. */
export function useDeleteScimToken(connection: api.Connection, { id: tokenId }: api.ScimToken) {
  const [tenantry, organizationId, tokens] = [useTenantry(), useScope(), useCachedTokens(connection)];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteScimToken({ path: { organizationId, connectionId: connection.id, tokenId } });
      tokens.change((all) => all.filter(({ id }) => id !== tokenId));
    },
    onError: tokens.readAgain,
  });
}

const groupsKey = (organizationId: string, connectionId: string) => [
  organizationId,
  'directory-groups',
  connectionId,
];

/** The groups of a directory, by name. */
export function useDirectoryGroups({ id: connectionId }: api.Connection) {
  const [tenantry, organizationId] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: groupsKey(organizationId, connectionId),
    queryFn: async ({ signal }): Promise<readonly api.DirectoryGroup[]> =>
      (await tenantry.listDirectoryGroups({ path: { organizationId, connectionId }, signal })).data.groups,
  });
}

/** Says what the people in a group are. */
export function useGiveRole({ id: connectionId }: api.Connection, { id: groupId }: api.DirectoryGroup) {
  const [tenantry, organizationId, queries] = [useTenantry(), useScope(), useQueryClient()];
  const queryKey = groupsKey(organizationId, connectionId);
  return useMutation({
    mutationFn: async (role: RoleByGroup): Promise<void> => {
      const path = { organizationId, connectionId, groupId };
      const { data } = await tenantry.updateDirectoryGroup({ path, body: { role } });
      queries.setQueryData<readonly api.DirectoryGroup[]>(queryKey, (all) =>
        all?.map((one) => (one.id === groupId ? data.group : one)),
      );
    },
    // The directory may have deleted it.
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
