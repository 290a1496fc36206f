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

const pageSize = 5;

interface Source {
  readonly operation: OperationId;
  readonly find: (tenantry: Tenantry, search: string, signal: AbortSignal) => Promise<readonly Found[]>;
}

const sources: Readonly<Record<Kind, Source>> = {
  leads: {
    operation: 'listLeads',
    find: async (tenantry, search, signal) =>
      (await tenantry.listLeads({ query: { search, pageSize }, signal })).data.rows.map(named),
  },
  quotes: {
    operation: 'listQuotes',
    find: async (tenantry, search, signal) => {
      const { rows } = (await tenantry.listQuotes({ query: { search, pageSize }, signal })).data;
      return rows.map(({ id, number, title, customerName }) => ({
        id,
        name: title,
        about: [number, customerName].filter((part) => part !== '').join(' · '),
      }));
    },
  },
  customers: {
    operation: 'listCustomers',
    find: async (tenantry, search, signal) =>
      (await tenantry.listCustomers({ query: { search, pageSize }, signal })).data.rows.map(named),
  },
  people: {
    operation: 'listUsers',
    find: async (tenantry, search, signal) => {
      const { rows } = (await tenantry.listUsers({ query: { search, pageSize }, signal })).data;
      return rows.map(({ firstName, lastName, ...user }) =>
        named({ ...user, name: `${firstName} ${lastName}`.trim() }),
      );
    },
  },
};

const named = ({ id, name, email }: { id: string; name: string; email: string | null }): Found => ({
  id,
  name,
  about: email ?? '',
});

/** What has a text in its name, as the lists find it, of one kind; what was found before stays until the next answer is there. */
export function useFound(kind: Kind, text: string) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const { permissions } = useSignedIn();
  const { operation, find } = sources[kind];
  const search = text.trim();
  return useQuery({
    enabled: search.length > 1 && mayCall(permissions, operation),
    queryKey: [scope, kind, 'found', search],
    queryFn: ({ signal }) => find(tenantry, search, signal),
    placeholderData: (before) => (search.length > 1 ? before : undefined),
  });
}
