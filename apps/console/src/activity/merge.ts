/** What is known of a trail so far, newest first. */
export interface PartOfTrail<Event> {
  readonly events: readonly Event[];
  /** Whether there is more of it, which is older. */
  readonly hasMore: boolean;
}

/** Several trails as one. */
export interface MergedTrail<Event> {
  /** Newest first: nothing that is still to come belongs between them. */
  readonly events: readonly Event[];
  /** The trails, by their place, of which more is needed before older events can be shown. */
  readonly wanted: readonly number[];
}

interface Dated {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * Merges trails by time. What is older than the oldest known event of a trail that has more waits: an event of that trail may
 * belong before it. An event that came twice, since others were added meanwhile, is there once.
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

/** A trail of which nothing is known may begin at any time. */
const timeOf = (event: Dated | undefined): number => (event ? Date.parse(event.createdAt) : Infinity);
