import { useQuery } from '@tanstack/react-query';
import { mayCall, type OperationId, type Tenantry } from '@tenantry/client';
import { useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';

/** What something is that was found. */
export const kinds = ['leads', 'quotes', 'customers', 'people'] as const;
export type Kind = (typeof kinds)[number];

/** Something that was found. */
export interface Found {
  readonly id: string;
  readonly name: string;
  /** What tells it from another of the same name. */
  readonly about: string;
}

const limit = 5;

interface Source {
  readonly operation: OperationId;
  readonly find: (tenantry: Tenantry, prefix: string, signal: AbortSignal) => Promise<readonly Found[]>;
}

const sources: Readonly<Record<Kind, Source>> = {
  leads: {
    operation: 'suggestLeads',
    find: async (tenantry, prefix, signal) =>
      (await tenantry.suggestLeads({ query: { prefix, limit }, signal })).data.map(named),
  },
  quotes: {
    operation: 'listQuotes',
    find: async (tenantry, search, signal) => {
      const { rows } = (await tenantry.listQuotes({ query: { search, pageSize: limit }, signal })).data;
      return rows.map(({ id, number, title, customerName }) => ({
        id,
        name: title,
        about: [number, customerName].filter((part) => part !== '').join(' · '),
      }));
    },
  },
  customers: {
    operation: 'suggestCustomers',
    find: async (tenantry, prefix, signal) =>
      (await tenantry.suggestCustomers({ query: { prefix, limit }, signal })).data.map(named),
  },
  people: {
    operation: 'suggestUsers',
    find: async (tenantry, prefix, signal) =>
      (await tenantry.suggestUsers({ query: { prefix, limit }, signal })).data.map(named),
  },
};

const named = ({ id, name, email }: { id: string; name: string; email: string | null }): Found => ({
  id,
  name,
  about: email ?? '',
});

/** What is called so, of one kind; what was found before stays until the next answer is there. */
export function useFound(kind: Kind, text: string) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const { permissions } = useSignedIn();
  const { operation, find } = sources[kind];
  const prefix = text.trim();
  return useQuery({
    enabled: prefix.length > 1 && mayCall(permissions, operation),
    queryKey: [scope, kind, 'found', prefix],
    queryFn: ({ signal }) => find(tenantry, prefix, signal),
    placeholderData: (before) => (prefix.length > 1 ? before : undefined),
  });
}
