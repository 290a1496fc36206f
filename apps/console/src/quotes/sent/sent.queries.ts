import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useState } from 'react';
import { useMutation } from '../../design/use-mutation.ts';
import { useScope, useTenantry } from '../../sessions/sessions.queries.ts';
import { useForgetCustomers } from '../../customers/customers.queries.ts';
import { leadQuery, type ReadLead } from '../../leads/lead.queries.ts';
import { useForgetQuotes } from '../quotes.queries.ts';

const lookAgainMs = 15_000;

const deliveriesQuery = (tenantry: Tenantry, scope: string, { id, status }: Shown) =>
  queryOptions({
    queryKey: [scope, 'quotes', 'deliveries', id],
    queryFn: async ({ signal }) => (await tenantry.listDeliveries({ path: { id }, signal })).data.rows,
    refetchInterval: status === 'sent' ? lookAgainMs : false,
  });

type Shown = Pick<api.Quote, 'id' | 'status'>;

/** The mails of a quote. */
export function useDeliveries(quote: Shown) {
  return useQuery(deliveriesQuery(useTenantry(), useScope(), quote));
}

const revisionsMax = 100;

const revisionsQuery = (tenantry: Tenantry, scope: string, id: string) =>
  queryOptions({
    queryKey: [scope, 'quotes', 'revisions', id],
    queryFn: async ({ signal }) => {
      const query = { pageSize: revisionsMax };
      return (await tenantry.listQuoteRevisions({ path: { id }, query, signal })).data.rows;
    },
  });

/** The revisions of a quote. */
export function useRevisions(id: string) {
  return useQuery(revisionsQuery(useTenantry(), useScope(), id));
}

/** What is done to a quote: every list and total of quotes is asked for again after it. */
function useQuoteAction<Given, Result>(act: (tenantry: Tenantry, given: Given) => Promise<Result>) {
  const [tenantry, forget] = [useTenantry(), useForgetQuotes()];
  return useMutation({
    mutationFn: async (given: Given) => {
      const result = await act(tenantry, given);
      await forget();
      return result;
    },
  });
}

/** Mails a quote once more; its language is remembered for the customer. */
export function useResendQuote(id: string) {
  const forgetCustomers = useForgetCustomers();
  return useQuoteAction(async (tenantry, body: api.SendQuote) => {
    await tenantry.resendQuote({ path: { id }, body });
    void forgetCustomers();
  });
}

/** Makes a link to the customer's page of a quote, and gives its address, which is shown once. */
export function useCreateLink(id: string) {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async () => (await tenantry.createQuoteLink({ path: { id } })).data.url,
  });
}

/** Replaces a quote by a draft of its next revision, and gives that. */
export const useReviseQuote = (id: string) =>
  useQuoteAction(async (tenantry) => (await tenantry.reviseQuote({ path: { id } })).data);

/** Copies a quote into a draft with a number of its own. */
export const useDuplicateQuote = (id: string) =>
  useQuoteAction(async (tenantry) => (await tenantry.duplicateQuote({ path: { id } })).data);

/** Accepts a quote for its customer. */
export const useAcceptQuote = (id: string) =>
  useQuoteAction(async (tenantry) => {
    await tenantry.acceptQuote({ path: { id } });
  });

/** Declines a quote for its customer, with what they said. */
export const useRejectQuote = (id: string) =>
  useQuoteAction(async (tenantry, reason: string) => {
    await tenantry.rejectQuote({ path: { id }, body: reason === '' ? {} : { reason } });
  });

/** Makes the contract of a quote that was accepted. */
export const useCreateContract = (id: string) =>
  useQuoteAction(async (tenantry) => (await tenantry.createContract({ path: { id } })).data);

const lookForMoveMs = 1_000;
const looksMax = 4;

/**
 * The lead of an accepted quote; undefined if its customer is no lead. Right after the acceptance it may be about to move by
 * itself: then it is read some more times.
 */
export function useAcceptedLead(id: string, isNew: boolean) {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  const query = leadQuery(tenantry, scope, id);
  const [begun] = useState(() => queries.getQueryState(query.queryKey)?.dataUpdateCount ?? 0);
  const mayMove = (lead: ReadLead | undefined, reads: number) =>
    isNew && lead?.allowedTransitions.includes('won') === true && reads - begun < looksMax;
  const { data: lead, dataUpdatedAt } = useQuery({
    ...query,
    refetchInterval: ({ state }) => mayMove(state.data, state.dataUpdateCount) && lookForMoveMs,
  });
  const reads = dataUpdatedAt === 0 ? 0 : (queries.getQueryState(query.queryKey)?.dataUpdateCount ?? 0);
  return { lead, mayBeMoving: mayMove(lead, reads) };
}

/** Moves the lead of an accepted quote to won, whatever its version is. */
export function useWinLead(id: string) {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async () => {
      try {
        await tenantry.patchLead({ path: { id }, body: { status: 'won' } });
      } finally {
        await queries.invalidateQueries({ queryKey: [scope, 'leads'] });
      }
    },
  });
}
