import { useQuery } from '@tanstack/react-query';
import type { api } from '@tenantry/client';
import { useEffect, useState } from 'react';
import { useSender } from '../organizations/organization.queries.ts';
import { useMay, useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';

/** The number of rows that a group shows; the total includes the others. */
const shownRows = 5;

/** Of quotes that are told apart by whether they were opened. */
const groupedRows = 100;

const weekMs = 7 * 86_400_000;

/** Options for data that others change too. */
const fresh = { staleTime: 30_000 } as const;

/** By week, as the reader's calendar has them. */
function useWeeks() {
  const { user } = useSignedIn();
  return { interval: 'week' as const, ...(user.timeZone !== null && { timeZone: user.timeZone }) };
}

/** How many leads entered each state in each of the last twelve weeks, and how many are in it now. */
export function useLeadStatistics({ enabled = true }: Reading = {}) {
  const [tenantry, scope, query] = [useTenantry(), useScope(), useWeeks()];
  return useQuery({
    ...fresh,
    enabled,
    queryKey: [scope, 'leads', 'home', 'statistics', query],
    queryFn: async ({ signal }) => (await tenantry.getLeadStatistics({ query, signal })).data,
  });
}

/** How many quotes are in each state, and were sent and answered in each of the last twelve weeks, with their worth by currency. */
export function useQuoteStatistics({ enabled = true }: Reading = {}) {
  const [tenantry, scope, query] = [useTenantry(), useScope(), useWeeks()];
  return useQuery({
    ...fresh,
    enabled,
    queryKey: [scope, 'quotes', 'home', 'statistics', query],
    queryFn: async ({ signal }) => (await tenantry.getQuoteStatistics({ query, signal })).data,
  });
}

/** Some pending rows, and their total. */
export interface Waiting<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Leads that have not been contacted, oldest first. */
export function useUntouchedLeads({ enabled = true }: Reading = {}) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const query = { status: ['new' as const], sort: 'createdAt' as const, pageSize: shownRows };
  return useQuery({
    ...fresh,
    enabled,
    queryKey: [scope, 'leads', 'home', 'waiting'],
    queryFn: async ({ signal }): Promise<Waiting<api.LeadListItem>> => {
      const { rows, total } = (await tenantry.listLeads({ query, signal })).data;
      return { rows, total };
    },
  });
}

/** Quotes that expire within a week, soonest first. */
export function useEndingQuotes(options?: Reading) {
  const soon = () => {
    const now = Date.now();
    return {
      validUntilFrom: new Date(now).toISOString(),
      validUntilTo: new Date(now + weekMs).toISOString(),
    };
  };
  return useUnanswered('ending', () => ({ sort: 'validUntil', ...soon() }), options);
}

/** Quotes that customers can still accept and have not decided on, oldest first. */
export function useUnansweredQuotes(options?: Reading) {
  const stillValid = () => new Date().toISOString();
  const query = (): QuoteQuery => ({ sort: 'sentAt', validUntilFrom: stillValid(), pageSize: groupedRows });
  return useUnanswered('unanswered', query, options);
}

/** Quotes that were accepted last, latest first, once some were accepted this week. */
export function useAcceptedQuotes({ enabled = true }: Reading = {}) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const thisWeek = useQuoteStatistics({ enabled }).data?.series.at(-1);
  return useQuery({
    ...fresh,
    enabled: enabled && thisWeek !== undefined && thisWeek.accepted.quotes > 0,
    queryKey: [scope, 'quotes', 'home', 'accepted'],
    queryFn: async ({ signal }) => {
      const query = {
        ...{ status: ['accepted' as const], include: ['decidedAt' as const] },
        ...{ sort: '-updatedAt' as const, pageSize: shownRows },
      };
      return (await tenantry.listQuotes({ query, signal })).data.rows;
    },
  });
}

/** Whether it is read at all: not by those who may not. */
interface Reading {
  readonly enabled?: boolean;
}

type QuoteQuery = NonNullable<api.ListQuotesData['query']>;

function useUnanswered(name: string, orderOf: () => QuoteQuery, { enabled = true }: Reading = {}) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({
    ...fresh,
    enabled,
    queryKey: [scope, 'quotes', 'home', name],
    queryFn: async ({ signal }): Promise<Waiting<api.QuoteListItem>> => {
      const query = {
        status: ['sent' as const],
        include: ['sentAt' as const, 'openedAt' as const],
        pageSize: shownRows,
        ...orderOf(),
      };
      const { rows, total } = (await tenantry.listQuotes({ query, signal })).data;
      return { rows, total };
    },
  });
}

/** How long the page waits for its last part, before it shows those that were read. */
const wholePageMs = 2_000;

/** Whether some of the page is read for the first time: it appears as a whole then, and nothing moves. */
export function useIsReading(): boolean {
  const may = useMay();
  const hasOrganization = useSignedIn().organization !== null;
  const quotes = { enabled: hasOrganization && may('getQuoteStatistics') };
  const leads = { enabled: hasOrganization && may('getLeadStatistics') };
  const reads = [
    useEndingQuotes(quotes),
    useUnansweredQuotes(quotes),
    useAcceptedQuotes(quotes),
    useQuoteStatistics(quotes),
    useUntouchedLeads(leads),
    useLeadStatistics(leads),
  ];
  // What the first steps of a newcomer depend on.
  const sender = useSender({ enabled: hasOrganization && may('updateOrganization') });
  const isLoading = [...reads, sender].some((read) => read.isLoading);
  // What failed is asked for again by the parts of the page that show it, which stay.
  const [wasRead, setRead] = useState(false);
  if (!isLoading && !wasRead) setRead(true);
  // A service that does not answer holds up its own parts alone.
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), wholePageMs);
    return () => clearTimeout(timer);
  }, []);
  return isLoading && !wasRead;
}
