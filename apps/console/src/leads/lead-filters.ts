import type { api } from '@tenantry/client';
import { endOfDay, startOfDay } from '../design/day-start.ts';

/** The states of a lead, in the order of its way. */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

type ListQuery = NonNullable<api.ListLeadsData['query']>;

/** The orders of a list, as the API calls them. */
export const leadOrders = [
  ...(['-createdAt', 'createdAt', '-updatedAt', 'updatedAt', 'name', '-name', 'email', '-email'] as const),
  ...(['status', '-status', 'source', '-source', 'phone', '-phone'] as const),
] as const satisfies readonly NonNullable<ListQuery['sort']>[];
export type LeadOrder = (typeof leadOrders)[number];

const usualOrder: LeadOrder = '-createdAt';

/** Which leads, in which order: what the address of a list says. */
export interface LeadFilters {
  readonly search: string;
  /** None: in any. */
  readonly statuses: readonly LeadStatus[];
  readonly source: string;
  /** Created on that day or later, and on that day or earlier; empty where it does not matter. */
  readonly from: string;
  readonly to: string;
  readonly sort: LeadOrder;
  readonly isDeleted: boolean;
}

/** All leads. */
export const noFilters: LeadFilters = {
  search: '',
  statuses: [],
  source: '',
  from: '',
  to: '',
  sort: usualOrder,
  isDeleted: false,
};

/** Reads the filters of an address; what it does not know is left out. */
export function filtersOf(search: Readonly<Record<string, unknown>>): LeadFilters {
  const text = (name: string): string => {
    const value = search[name];
    return typeof value === 'string' ? value : '';
  };
  const named = text('status').split(',');
  return {
    search: text('search').slice(0, 254),
    statuses: leadStatuses.filter((status) => named.includes(status)),
    source: text('source').slice(0, 50),
    from: dayOf(text('from')),
    to: dayOf(text('to')),
    sort: leadOrders.find((order) => order === text('sort')) ?? usualOrder,
    isDeleted: text('deleted') === 'true',
  };
}

/** The address of filters: what is as usual is left out. */
export function addressOf(filters: LeadFilters): Record<string, string> {
  const { search, statuses, source, from, to, sort, isDeleted } = filters;
  return {
    ...(search !== '' && { search }),
    ...(statuses.length > 0 && { status: statuses.join(',') }),
    ...(source !== '' && { source }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(sort !== usualOrder && { sort }),
    ...(isDeleted && { deleted: 'true' }),
  };
}

/** What is asked of the API for filters; days are those of the reader's time zone. */
export function queryOf(filters: LeadFilters, timeZone: string | undefined) {
  const { statuses, source, from, to, sort, isDeleted } = filters;
  const search = filters.search.trim();
  return {
    sort,
    ...(search !== '' && { search }),
    ...(statuses.length > 0 && { status: [...statuses] }),
    ...(source.trim() !== '' && { source: source.trim() }),
    ...(from !== '' && { createdFrom: startOfDay(from, timeZone).toISOString() }),
    ...(to !== '' && { createdTo: endOfDay(to, timeZone).toISOString() }),
    ...(isDeleted && { deleted: 'true' as const }),
  } satisfies ListQuery;
}

/** How many filters are set beside search and states, which are always in sight. */
export const furtherFilters = ({ source, from, to }: LeadFilters): number =>
  [source, from, to].filter((value) => value !== '').length;

/** Whether anything is left out. */
export const isNarrowed = (filters: LeadFilters): boolean =>
  filters.search.trim() !== '' || filters.statuses.length > 0 || furtherFilters(filters) > 0;

function dayOf(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return '';
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text >= '1970' ? text : '';
}
