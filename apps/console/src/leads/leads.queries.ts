import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { api, Page, Tenantry } from '@tenantry/client';
import { useState } from 'react';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';
import { queryOf, type LeadFilters, type LeadStatus } from './lead-filters.ts';
import { Pace } from './pace.ts';

/** A lead of a list. */
export type ListedLead = api.LeadListItem;

export const rowsOfPage = 100;
/** Maximum list requests per second. */
const pace = new Pace(8);

/** What is asked of the API for filters, in the reader's time zone. */
export function useListQuery(filters: LeadFilters) {
  return queryOf(filters, useSignedIn().user.timeZone ?? undefined);
}

type ListQuery = ReturnType<typeof queryOf>;

const pageQuery = (tenantry: Tenantry, scope: string, { query, page }: { query: ListQuery; page: number }) =>
  queryOptions({
    queryKey: [scope, 'leads', 'list', query, page],
    queryFn: async ({ signal }) => {
      await pace.turn(signal);
      const asked = { ...query, page, pageSize: rowsOfPage, include: [...included] };
      return (await tenantry.listLeads({ query: asked, signal })).data;
    },
  });

const included = ['version', 'updatedAt', 'allowedTransitions'] as const;

/** What is known of a list, by index. */
export interface LeadRows {
  readonly total: number;
  readonly at: (index: number) => ListedLead | undefined;
}

/** The rows of a list on the pages that are in sight. */
export function useLeadRows(filters: LeadFilters, pages: readonly number[]) {
  const [tenantry, scope, query] = [useTenantry(), useScope(), useListQuery(filters)];
  const queries = useQueryClient();
  const first = useQuery(pageQuery(tenantry, scope, { query, page: 1 }));
  // The first one is asked for by itself: it says how many there are.
  const further = useQueries({
    queries: pages.filter((page) => page > 1).map((page) => pageQuery(tenantry, scope, { query, page })),
  });
  const total = further.find(({ data }) => data)?.data?.total ?? first.data?.total ?? 0;
  const at = (index: number): ListedLead | undefined => {
    const page = Math.floor(index / rowsOfPage) + 1;
    const { queryKey } = pageQuery(tenantry, scope, { query, page });
    return queries.getQueryData(queryKey)?.rows[index % rowsOfPage];
  };
  return { first, further, rows: { total, at } satisfies LeadRows };
}

/** Keeps showing the previous rows until those for new filters arrive; none on an error. */
export function useSettledFilters(filters: LeadFilters): LeadFilters {
  const [tenantry, scope, query] = [useTenantry(), useScope(), useListQuery(filters)];
  const { isPending } = useQuery(pageQuery(tenantry, scope, { query, page: 1 }));
  const [settled, setSettled] = useState(filters);
  if (!isPending && settled !== filters) setSettled(filters);
  return isPending ? settled : filters;
}

/** Finds a lead, and those around it, among the rows of a list that are there. */
export function useFoundLead(filters: LeadFilters, id: string) {
  const [scope, query, queries] = [useScope(), useListQuery(filters), useQueryClient()];
  const find = () => {
    const queryKey = [scope, 'leads', 'list', query];
    const pages = queries.getQueriesData<Page<ListedLead>>({ queryKey });
    const rows = new Map(
      pages.flatMap(([key, data]) =>
        (data?.rows ?? []).map((row, n) => [(Number(key[4]) - 1) * rowsOfPage + n, row] as const),
      ),
    );
    const [index] = [...rows].find(([, row]) => row.id === id) ?? [];
    return { rows, index };
  };
  return {
    row: () => {
      const { rows, index } = find();
      return index === undefined ? undefined : rows.get(index);
    },
    neighbour: (step: -1 | 1) => {
      const { rows, index } = find();
      return index === undefined ? undefined : rows.get(index + step);
    },
  };
}

/** How many leads there are in each state. */
export function useLeadCounts() {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: [scope, 'leads', 'counts'],
    queryFn: async ({ signal }) => (await tenantry.getLeadStatistics({ signal })).data,
  });
}

/** Creates a lead; the response names another one with the same address. */
export function useCreateLead() {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async (body: api.NewLead) => {
      const { data, meta } = await tenantry.createLead({ body });
      queries.setQueryData([scope, 'leads', 'duplicate', data.id], meta.duplicateOf ?? null);
      void queries.invalidateQueries({ queryKey: [scope, 'leads'] });
      return data.id;
    },
  });
}

/** The leads of one state, for a board: the first ones, and more on request. */
export function useLeadColumn(filters: LeadFilters, status: LeadStatus) {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const query = useListQuery({ ...filters, statuses: [status], isDeleted: false });
  return useInfiniteQuery({
    queryKey: [scope, 'leads', 'column', query],
    queryFn: async ({ pageParam, signal }) => {
      await pace.turn(signal);
      const asked = { ...query, page: pageParam, pageSize: 50, include: [...included] };
      return (await tenantry.listLeads({ query: asked, signal })).data;
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }) => (page * pageSize < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}
