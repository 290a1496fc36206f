import type { QueryCache, QueryCacheNotifyEvent } from '@tanstack/react-query';

/** The maximum number of cached queries. A page of a list has 100 rows, some 70 kB. */
export const keptMax = 200;

/** Removes the least recently shown queries once there are too many. @returns a function to stop it */
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
