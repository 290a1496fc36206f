import { queryOptions, useInfiniteQuery, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import { isErrorOf, type api, type Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import type { ListedLead } from './leads.queries.ts';
import type { LeadMoves } from './moves.queries.ts';

/** A lead as the API has it, and which version it is; of a row, notes are not known. */
export interface ReadLead extends Omit<api.Lead, 'notes'> {
  /** Undefined until the whole lead is there. */
  readonly notes: string | null | undefined;
  readonly etag: string | undefined;
}

/** A lead, which all who read it share. */
export const leadQuery = (tenantry: Tenantry, scope: string, id: string) =>
  queryOptions({
    queryKey: [scope, 'leads', 'one', id],
    queryFn: async ({ signal }): Promise<ReadLead> => {
      const { data, etag } = await tenantry.getLead({ path: { id }, signal });
      return { ...data, etag };
    },
  });

/** A lead: first from its row, if there is one, then loaded. */
export function useLead(id: string, row: ListedLead | undefined) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({ ...leadQuery(tenantry, scope, id), ...(row && { placeholderData: leadOfRow(row) }) });
}

function leadOfRow(row: ListedLead): ReadLead {
  const { version, updatedAt = row.createdAt, allowedTransitions = [] } = row;
  const etag = version === undefined ? undefined : `"${version}"`;
  return { ...row, allowedTransitions, updatedAt, notes: undefined, etag };
}

/** The moves of leads that wait under Undo: what else is done to a lead comes after its own. */
type WaitingMoves = Pick<LeadMoves, 'sendOf'>;

/** A change, and the version that it was made on. */
export interface LeadChange {
  readonly changes: api.LeadChanges;
  readonly etag: string | undefined;
}

/**
 * Changes a lead unless another user has changed it meanwhile; on such a conflict, loads the current lead, to show both
 * versions.
 */
export function useChangeLead(id: string, moves: WaitingMoves) {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async ({ changes, etag }: LeadChange) => {
      const moved = await moves.sendOf(id);
      try {
        const { meta } = await tenantry.patchLead({ path: { id }, body: changes, ifMatch: moved ?? etag });
        if (changes.email !== undefined) {
          queries.setQueryData([scope, 'leads', 'duplicate', id], meta.duplicateOf ?? null);
        }
      } catch (error) {
        if (isErrorOf(error, 'patchLead') && error.code === 'PRECONDITION_FAILED') {
          await queries.refetchQueries({ queryKey: [scope, 'leads', 'one', id] });
        }
        throw error;
      }
      await queries.refetchQueries({ queryKey: [scope, 'leads', 'one', id] });
      void queries.invalidateQueries({ queryKey: [scope, 'leads'] });
    },
  });
}

/** The other lead with the same address, if the response names one. */
export function useDuplicate(id: string) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const { data: otherId } = useQuery<string | null>({
    queryKey: [scope, 'leads', 'duplicate', id],
    queryFn: () => null,
    enabled: false,
  });
  return useQuery({
    ...leadQuery(tenantry, scope, otherId ?? ''),
    enabled: typeof otherId === 'string',
  }).data;
}

/** Deletes a lead; `restore` undoes it. */
export function useDeleteLead(moves: WaitingMoves) {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async ({ id, etag }: { readonly id: string; readonly etag: string | undefined }) => {
      const moved = await moves.sendOf(id);
      await tenantry.deleteLead({ path: { id }, ifMatch: moved ?? etag });
      // It is still shown, and loading it again would fail.
      const predicate = ({ queryKey }: Query) => !queryKey.includes(id);
      void queries.invalidateQueries({ queryKey: [scope, 'leads'], predicate });
    },
  });
}

/** Restores a deleted lead. */
export function useRestoreLead() {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async (id: string) => {
      await tenantry.restoreLead({ path: { id } });
      await queries.invalidateQueries({ queryKey: [scope, 'leads'] });
    },
  });
}

/** The moves of a lead, newest first. */
export function useLeadHistory(id: string) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useInfiniteQuery({
    queryKey: [scope, 'leads', 'history', id],
    queryFn: async ({ pageParam, signal }) => {
      const query = { page: pageParam, pageSize: 10 };
      return (await tenantry.listLeadHistory({ path: { id }, query, signal })).data;
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }) => (page * pageSize < total ? page + 1 : undefined),
  });
}

/** The quotes for a lead, newest first. */
export function useLeadQuotes(id: string) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: [scope, 'quotes', 'of-lead', id],
    queryFn: async ({ signal }) =>
      (await tenantry.listQuotes({ query: { customerId: id, pageSize: 5 }, signal })).data,
  });
}
