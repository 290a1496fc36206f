import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isErrorOf, type api } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { furtherMoves } from './lead-moves.ts';
import { leadWords } from './leads.words.ts';

const keyOf = (scope: string) => [scope, 'lead-settings'];

/** What the organization decides about its leads, and which version that is. */
export function useLeadSettings() {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: keyOf(scope),
    queryFn: async ({ signal }) => {
      const { data, etag } = await tenantry.getLeadSettings({ signal });
      return { settings: data, etag };
    },
  });
}

/** A change of them, and the version that it was made on. */
export interface LeadSettingsChange {
  readonly changes: api.LeadSettingsChanges;
  readonly etag: string | undefined;
}

/** Changes them, unless another admin has meanwhile: then theirs are loaded. Leads are asked again where they may move. */
export function useUpdateLeadSettings() {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async ({ changes, etag: ifMatch }: LeadSettingsChange) => {
      try {
        const { data, etag } = await tenantry.updateLeadSettings({ body: changes, ifMatch });
        queries.setQueryData(keyOf(scope), { settings: data, etag });
        void queries.invalidateQueries({ queryKey: [scope, 'leads'] });
      } catch (error) {
        if (isErrorOf(error, 'updateLeadSettings') && error.code === 'PRECONDITION_FAILED') {
          await queries.refetchQueries({ queryKey: keyOf(scope) });
        }
        throw error;
      }
    },
  });
}

/** The moves that an organization may allow, each from one status to another, by their names. */
export function useFurtherMoves() {
  const { statuses } = useWords(leadWords);
  return furtherMoves.map(({ move, from, to }) => ({ move, from: statuses[from], to: statuses[to] }));
}
