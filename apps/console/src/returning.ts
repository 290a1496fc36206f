import {
  focusManager,
  onlineManager,
  type QueryCache,
  type QueryCacheNotifyEvent,
} from '@tanstack/react-query';
import { isPassing } from './failures/passing.ts';

/** How long somebody waits at most for what is back. */
export const askAgainMs = 10_000;

type Query = QueryCacheNotifyEvent['query'];

/**
 * Asks again for what could not be answered, as long as a page shows that somebody looks at. The failure stays in sight
 * until there is an answer.
 *
 * @returns what ends it
 */
export function followReturn(cache: QueryCache): () => void {
  const waiting = new Set<Query>();
  const askLater = (query: Query): void => {
    if (waiting.has(query)) return;
    waiting.add(query);
    setTimeout(() => void askAgain(query), askAgainMs);
  };
  const askAgain = async (query: Query): Promise<void> => {
    waiting.delete(query);
    if (!query.isActive() || query.state.status !== 'error') return;
    const isLookedAt = focusManager.isFocused() && onlineManager.isOnline();
    if (!isLookedAt || !(await isAnswered(query))) askLater(query);
    // Where it fails once more it is asked for later, as before.
    else await query.fetch().catch(() => undefined);
  };
  for (const query of cache.getAll()) if (isPassing(query.state.error)) askLater(query);
  return cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (isPassing(event.action.error)) askLater(event.query);
  });
}

/** Asked for by the query itself it would look as if it never had been. */
async function isAnswered({ options, queryKey }: Query): Promise<boolean> {
  const { queryFn, initialPageParam: pageParam } = options as typeof options & { initialPageParam?: unknown };
  if (typeof queryFn !== 'function') return true;
  const signal = AbortSignal.timeout(askAgainMs);
  try {
    await queryFn({ queryKey: queryKey as unknown, signal, pageParam } as Parameters<typeof queryFn>[0]);
    return true;
  } catch (error) {
    return !isPassing(error);
  }
}
