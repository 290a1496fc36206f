import type { queryOf } from './lead-filters.ts';

/** The address of the file of all leads of a list. */
export function exportHref({ status, ...query }: Omit<ReturnType<typeof queryOf>, 'deleted'>): string {
  const search = new URLSearchParams({ ...query, ...(status && { status: status.join(',') }) });
  return `/api/leads/export?${search.toString()}`;
}
