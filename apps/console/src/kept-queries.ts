import type { QueryCache, QueryCacheNotifyEvent } from '@tanstack/react-query';

/** A page of a list is 100 rows, some 70 kB: so many take less than half of what an hour of work may leave behind. */
export const keptMax = 200;

/** Removes what no page has shown for the longest time, once there is too much. @returns what ends it */
export function keepLatest(cache: QueryCache): () => void {
  const unshown = new Set<QueryCacheNotifyEvent['query']>();
  for (const query of cache.getAll()) if (query.getObserversCount() === 0) unshown.add(query);
  return cache.subscribe(({ type, query }) => {
    if (type === 'removed') unshown.delete(query);
    if (type !== 'added' && type !== 'observerAdded' && type !== 'observerRemoved') return;
    unshown.delete(query);
    if (query.getObserversCount() === 0) unshown.add(query);
    const [oldest] = unshown;
    if (unshown.size > keptMax && oldest) cache.remove(oldest);
  });
}
