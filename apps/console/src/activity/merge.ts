/** The loaded part of a trail, newest first. */
export interface PartOfTrail<Event> {
  readonly events: readonly Event[];
  /** Whether there is more of it, which is older. */
  readonly hasMore: boolean;
}

/** Several trails as one. */
export interface MergedTrail<Event> {
  /** Newest first, and complete: no event to be loaded belongs between them. */
  readonly events: readonly Event[];
  /** The indexes of trails to load more of before older events can be shown. */
  readonly wanted: readonly number[];
}

interface Dated {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * Merges trails by time. Events older than the last loaded event of an incomplete trail are held back, since events of that
 * trail may belong before them. Duplicates, which occur if events were added meanwhile, are removed.
 */
export function mergeTrails<Event extends Dated>(parts: readonly PartOfTrail<Event>[]): MergedTrail<Event> {
  const frontiers = parts.map(({ events, hasMore }) => (hasMore ? timeOf(events.at(-1)) : -Infinity));
  const frontier = Math.max(-Infinity, ...frontiers);
  const known = new Map(parts.flatMap(({ events }) => events).map((event) => [event.id, event]));
  const events = [...known.values()]
    .filter((event) => timeOf(event) >= frontier)
    .toSorted((one, other) => timeOf(other) - timeOf(one));
  const wanted = [...frontiers.keys()].filter(
    (at) => parts[at]?.hasMore === true && frontiers[at] === frontier,
  );
  return { events, wanted };
}

/** A trail of which nothing is loaded may begin at any time. */
const timeOf = (event: Dated | undefined): number => (event ? Date.parse(event.createdAt) : Infinity);
