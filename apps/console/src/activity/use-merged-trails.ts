import { usePeople } from '../people/people.queries.ts';
import { mergeTrails } from './merge.ts';
import { trails, useTrail, type ActivityFilter, type Happening, type Trail } from './activity.queries.ts';

/** The trails as one. */
export interface MergedTrails {
  /** Newest first. */
  readonly happenings: readonly Happening[];
  readonly isPending: boolean;
  /** Those that could not be read, and why. */
  readonly failed: readonly { readonly trail: Trail; readonly error: Error; readonly retry: () => void }[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
}

/** The trails of a kind, or all of them, merged by time; one that cannot be read leaves the others readable. */
export function useMergedTrails(kind: Trail | undefined, filter: ActivityFilter): MergedTrails {
  const isWanted = (trail: Trail): boolean => kind === undefined || kind === trail;
  const all = [
    useTrail('organization', filter, isWanted('organization')),
    useTrail('leads', filter, isWanted('leads')),
    useTrail('quotes', filter, isWanted('quotes')),
  ];
  const asked = trails.flatMap((trail, at) => {
    const query = all[at];
    return query && isWanted(trail) ? [{ trail, query }] : [];
  });
  const read = asked.flatMap(({ query }) => (query.isError ? [] : [query]));
  const { events, wanted } = mergeTrails(
    read.map(({ data, hasNextPage }) => ({
      events: data?.pages.flatMap(({ rows }) => rows) ?? [],
      hasMore: data === undefined || hasNextPage,
    })),
  );
  const named = useNamed();
  const next = wanted.flatMap((at) => read[at] ?? []);
  return {
    happenings: events.map(named),
    isPending: read.some((query) => query.isPending),
    failed: asked.flatMap(({ trail, query }) =>
      query.isError ? [{ trail, error: query.error, retry: () => void query.refetch() }] : [],
    ),
    hasMore: wanted.length > 0,
    isLoadingMore: next.some((query) => query.isFetchingNextPage),
    loadMore: () => {
      for (const query of next) void query.fetchNextPage();
    },
  };
}

/** Entries that earlier versions wrote carry ids only: a person who is still a member is shown by their current name. */
function useNamed(): (happening: Happening) => Happening {
  const people = usePeople('').data?.pages.flatMap(({ rows }) => rows) ?? [];
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return (happening) => {
    const { actor } = happening;
    const name = actor?.name ?? names.get(actor?.userId ?? '') ?? null;
    return actor ? { ...happening, actor: { ...actor, name } } : happening;
  };
}
