import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { isTenantryError, mayCall, type api, type Tenantry } from '@tenantry/client';
import { useLanguage, type Language } from '../design/language.ts';
import { useRested } from '../design/use-rested.ts';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';

/** A possible recipient of a quote. */
export interface Recipient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** A lead becomes a customer with its first quote. */
  readonly kind: 'customer' | 'lead' | 'new';
}

interface Asked {
  readonly scope: string;
  readonly search: string;
  readonly mayReadLeads: boolean;
}

const suggestionsMax = 6;

const recipientsQuery = (tenantry: Tenantry, { scope, search, mayReadLeads }: Asked) =>
  queryOptions({
    queryKey: [scope, 'customers', 'recipients', search],
    queryFn: async ({ signal }): Promise<readonly Recipient[]> => {
      const query = { search, pageSize: suggestionsMax };
      const [{ data: customers }, leads] = await Promise.all([
        tenantry.listCustomers({ query, signal }),
        mayReadLeads ? tenantry.listLeads({ query, signal }) : undefined,
      ]);
      const known = new Set(customers.rows.map(({ id }) => id));
      return [
        ...customers.rows.map(({ id, name, email }) => ({
          id,
          name,
          email: email ?? '',
          kind: 'customer' as const,
        })),
        ...(leads?.data.rows ?? [])
          .filter(({ id }) => !known.has(id))
          .map(({ id, name, email }) => ({ id, name, email, kind: 'lead' as const })),
      ];
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });

/** Who was found, and whether it was for the text that is asked for, or for one before. */
interface Recipients {
  readonly found: readonly Recipient[];
  readonly isCurrent: boolean;
}

/** Customers and leads with a text in their names or addresses, as the lists find them, once typing rests. */
export function useRecipients(text: string): Recipients {
  const { permissions } = useSignedIn();
  const mayReadLeads = mayCall(permissions, 'listLeads');
  const search = useRested(text);
  const { data = [], isPlaceholderData } = useQuery(
    recipientsQuery(useTenantry(), { scope: useScope(), search, mayReadLeads }),
  );
  return { found: data, isCurrent: search === text && !isPlaceholderData };
}

const recipientQuery = (tenantry: Tenantry, scope: string, id: string | undefined) =>
  queryOptions({
    queryKey: [scope, 'customers', 'recipient', id],
    queryFn: async ({ signal }): Promise<Recipient> => {
      try {
        const { data } = await tenantry.getCustomer({ path: { customerId: id ?? '' }, signal });
        return { id: data.id, name: data.name, email: data.email ?? '', kind: 'customer' };
      } catch (error) {
        if (!isTenantryError(error) || error.code !== 'NOT_FOUND') throw error;
        const { data } = await tenantry.getLead({ path: { id: id ?? '' }, signal });
        return { id: data.id, name: data.name, email: data.email, kind: 'lead' };
      }
    },
    enabled: id !== undefined,
  });

/** A customer by their id, or the lead who is about to become one. */
export function useRecipient(id: string | undefined) {
  return useQuery(recipientQuery(useTenantry(), useScope(), id));
}

const rowsOfPage = 50;

interface Listed {
  readonly scope: string;
  readonly search: string;
  /** In whose alphabet they are ordered. */
  readonly language: Language;
}

const customersQuery = (tenantry: Tenantry, { scope, search, language }: Listed) =>
  infiniteQueryOptions({
    queryKey: [scope, 'customers', 'list', language, search],
    queryFn: async ({ pageParam, signal }) => {
      const query = { page: pageParam, pageSize: rowsOfPage, sort: 'name' as const, language };
      const found = { ...query, ...(search !== '' && { search }) };
      return (await tenantry.listCustomers({ query: found, signal })).data;
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }) => (page * pageSize < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });

/** Customers by name, in the order of the reader's language, page after page. */
export function useCustomers(search: string) {
  const [scope, language] = [useScope(), useLanguage()];
  return useInfiniteQuery(customersQuery(useTenantry(), { scope, search, language }));
}

/** A customer, and which version of them. */
export interface ReadCustomer {
  readonly customer: api.Customer;
  readonly etag: string | undefined;
}

const customerQuery = (tenantry: Tenantry, scope: string, customerId: string) =>
  queryOptions({
    queryKey: [scope, 'customers', 'one', customerId],
    queryFn: async ({ signal }): Promise<ReadCustomer> => {
      const { data, etag } = await tenantry.getCustomer({ path: { customerId }, signal });
      return { customer: data, etag };
    },
  });

/** A customer. */
export function useCustomer(id: string) {
  return useQuery(customerQuery(useTenantry(), useScope(), id));
}

/** Reloads customers: those that are shown now, or each once it is shown again. */
export function useForgetCustomers(when: 'now' | 'later' = 'now'): () => Promise<void> {
  const [queries, scope] = [useQueryClient(), useScope()];
  const refetchType = when === 'now' ? 'active' : 'none';
  return () => queries.invalidateQueries({ queryKey: [scope, 'customers'], refetchType });
}

/** A field of a customer that people change. */
export type CustomerField = keyof api.CustomerChanges;

/** Creates a customer; the response names another one with the same address or VAT number. */
export function useCreateCustomer() {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async (body: api.NewCustomer) => {
      const { data, meta } = await tenantry.createCustomer({ body });
      queries.setQueryData([scope, 'customers', 'duplicate', data.id], meta.duplicateOf ?? null);
      void queries.invalidateQueries({ queryKey: [scope, 'customers', 'list'] });
      return data.id;
    },
  });
}

/** The other customer with the same address or VAT number, as the last change has named it. */
export function useDuplicateCustomer(id: string): api.Customer | undefined {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const { data: otherId } = useQuery<string | null>({
    queryKey: [scope, 'customers', 'duplicate', id],
    queryFn: () => null,
    enabled: false,
  });
  const isThere = typeof otherId === 'string';
  return useQuery({ ...customerQuery(tenantry, scope, otherId ?? ''), enabled: isThere }).data?.customer;
}

/** A change of a customer, and what was read before it. */
export interface CustomerChange {
  readonly base: ReadCustomer;
  readonly body: api.CustomerChanges;
}

/** Changes a customer; drafts follow. If someone else has changed only other fields, it is retried. */
export function useChangeCustomer(customerId: string) {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async ({ base, body }: CustomerChange) => {
      const send = async (ifMatch: string | undefined) => {
        const { meta } = await tenantry.patchCustomer({ path: { customerId }, body, ifMatch });
        if (body.email === undefined && body.vatNumber === undefined) return;
        queries.setQueryData([scope, 'customers', 'duplicate', customerId], meta.duplicateOf ?? null);
      };
      try {
        await send(base.etag);
      } catch (error) {
        if (!isTenantryError(error) || error.code !== 'PRECONDITION_FAILED') throw error;
        const now = await queries.query({ ...customerQuery(tenantry, scope, customerId), staleTime: 0 });
        const fields = Object.keys(body) as CustomerField[];
        if (fields.some((field) => now.customer[field] !== base.customer[field])) throw error;
        await send(now.etag);
      }
      await Promise.all([
        queries.invalidateQueries({ queryKey: [scope, 'customers'] }),
        queries.invalidateQueries({ queryKey: [scope, 'quotes'] }),
      ]);
    },
  });
}
