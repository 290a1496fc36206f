import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';

type Directory = api.ListScimTokensAnswer;

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
