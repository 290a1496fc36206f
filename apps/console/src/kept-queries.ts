import { QueryClient, type QueryCache, type QueryCacheNotifyEvent } from '@tanstack/react-query';
import { followReturn, isPassing } from './returning.ts';

/** A page of a list is 100 rows, some 70 kB: so many take less than half of what an hour of work may leave behind. */
export const keptMax = 200;

/** Makes what reads for the pages. What was seen is kept, the latest first, so that it is there without a connection. */
export function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: isWorthRepeating, staleTime: 10_000, gcTime: Infinity } },
  });
  const cache = queries.getQueryCache();
  keepLatest(cache);
  followReturn(cache);
  return queries;
}

/** Reads are tried again where that may help: not what was refused. */
const isWorthRepeating = (failures: number, error: Error): boolean => failures < 2 && isPassing(error);

/** Removes what no page has shown for the longest time, once there is too much. */
function keepLatest(cache: QueryCache): void {
  const unshown = new Set<QueryCacheNotifyEvent['query']>();
  cache.subscribe(({ type, query }) => {
    if (type === 'removed') unshown.delete(query);
    if (type !== 'added' && type !== 'observerAdded' && type !== 'observerRemoved') return;
    unshown.delete(query);
    if (query.getObserversCount() === 0) unshown.add(query);
    const [oldest] = unshown;
    if (unshown.size > keptMax && oldest) cache.remove(oldest);
  });
}
