import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import type { Language } from '../design/language.ts';
import { useMutation } from '../design/use-mutation.ts';
import { useForgetCustomers } from '../customers/customers.queries.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import { isInView, orderOf, queryOf, type QuoteFilter } from './quote-filter.ts';

const rowsOfPage = 50;

const listQuery = (tenantry: Tenantry, scope: string, filter: QuoteFilter) =>
  infiniteQueryOptions({
    queryKey: [scope, 'quotes', 'list', filter],
    queryFn: async ({ pageParam, signal }) => {
      const now = Date.now();
      const query = { ...queryOf(filter, now), page: pageParam, pageSize: rowsOfPage };
      const { rows: found, ...page } = (await tenantry.listQuotes({ query, signal })).data;
      const rows = found.filter((quote) => isInView(filter, quote, now));
      // Where those sent first come first, there are no others behind the last one that belongs to the view.
      const isLast = rows.length < found.length && orderOf(filter) === 'sentAt';
      return { ...page, rows, hasMore: !isLast && page.page * rowsOfPage < page.total };
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, hasMore }) => (hasMore ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });

/** A row of a list of quotes. */
export type ListedQuote = api.QuoteListItem;

/** Quotes, page after page. */
export function useQuotes(filter: QuoteFilter) {
  return useInfiniteQuery(listQuery(useTenantry(), useScope(), filter));
}

const quotesOfQuery = (tenantry: Tenantry, scope: string, customerId: string) =>
  queryOptions({
    queryKey: [scope, 'quotes', 'of', customerId],
    queryFn: async ({ signal }) =>
      (
        await tenantry.listQuotes({
          query: { customerId, pageSize: rowsOfPage, include: ['sentAt', 'openedAt', 'decidedAt'] },
          signal,
        })
      ).data,
  });

/** The latest quotes of a customer, or of a lead, and how many there are. */
export function useQuotesOf(customerId: string) {
  return useQuery(quotesOfQuery(useTenantry(), useScope(), customerId));
}

const statisticsQuery = (tenantry: Tenantry, scope: string) =>
  queryOptions({
    queryKey: [scope, 'quotes', 'statistics'],
    queryFn: async ({ signal }) => (await tenantry.getQuoteStatistics({ signal })).data,
  });

/** How many quotes there are in each state, and what they are worth. */
export function useQuoteStatistics() {
  return useQuery(statisticsQuery(useTenantry(), useScope()));
}

/** While it is looked at, what its customer does is seen soon. */
const lookAgainMs = 15_000;

const quoteQuery = (tenantry: Tenantry, scope: string, id: string) =>
  queryOptions({
    queryKey: [scope, 'quotes', 'one', id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await tenantry.getQuote({ path: { id }, signal });
      return { quote: data, etag };
    },
    refetchInterval: ({ state }) => (state.data?.quote.status === 'sent' ? lookAgainMs : false),
    // A draft is as its editor has it.
    refetchOnWindowFocus: ({ state }) => state.data?.quote.status !== 'draft',
    refetchOnReconnect: ({ state }) => state.data?.quote.status !== 'draft',
    staleTime: 0,
  });

/** A quote with its packages and lines. */
export function useQuote(id: string) {
  return useQuery(quoteQuery(useTenantry(), useScope(), id));
}

/** Has every list and total of quotes asked for again. */
export function useForgetQuotes(): () => Promise<void> {
  const [queries, scope] = [useQueryClient(), useScope()];
  return () => queries.invalidateQueries({ queryKey: [scope, 'quotes'] });
}

/** Makes a draft. */
export function useCreateQuote() {
  const [tenantry, forget] = [useTenantry(), useForgetQuotes()];
  return useMutation({
    mutationFn: async (body: api.NewQuote) => (await tenantry.createQuote({ body })).data,
    onSuccess: () => void forget(),
  });
}

/** Deletes a draft. */
export function useDeleteQuote(id: string) {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteQuote({ path: { id } });
    },
    onSuccess: async () => {
      queries.removeQueries({ queryKey: [scope, 'quotes', 'one', id] });
      await queries.invalidateQueries({ queryKey: [scope, 'quotes'], refetchType: 'none' });
    },
  });
}

/** Sends a draft to its customer, for whom the language is remembered. */
export function useSendQuote(id: string) {
  const [tenantry, forget] = [useTenantry(), useForgetQuotes()];
  // The page of the sent quote asks for its customer: what the dialog began would be broken off.
  const forgetCustomers = useForgetCustomers('later');
  return useMutation({
    mutationFn: async (body: api.SendQuote) => {
      await tenantry.sendQuote({ path: { id }, body });
      void forgetCustomers();
      await forget();
    },
  });
}

/** A version of a quote, or its contract, in the language of its customer. */
interface AskedPdf {
  readonly id: string;
  readonly kind: 'quote' | 'contract';
  readonly etag: string | undefined;
  readonly language: Language;
}

const pdfQuery = (tenantry: Tenantry, scope: string, { id, kind, etag, language }: AskedPdf) =>
  queryOptions({
    queryKey: [scope, 'quote-pdfs', kind, id, etag, language],
    queryFn: async ({ signal }) => {
      const asked = { path: { id }, query: { language }, signal };
      return (await (kind === 'quote' ? tenantry.getQuotePdf(asked) : tenantry.getContractPdf(asked))).data;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** A quote, or its contract, as PDF. */
export function useQuotePdf(asked: AskedPdf) {
  return useQuery(pdfQuery(useTenantry(), useScope(), asked));
}
