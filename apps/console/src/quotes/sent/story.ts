import type { api } from '@tenantry/client';

/** Something that happened to a quote, or is about to. */
export type TimelineEvent =
  | { readonly kind: 'created' | 'opened' | 'contract' | 'superseded'; readonly at: string }
  | { readonly kind: 'mailed'; readonly at: string; readonly delivery: api.Delivery }
  | { readonly kind: 'accepted' | 'rejected'; readonly at: string; readonly decision: Decided };

type Decided = NonNullable<api.QuoteDecision>;

/** What is known of a quote that was sent. */
export interface SentStory {
  readonly quote: Pick<api.Quote, 'createdAt' | 'openedAt' | 'decision' | 'contractedAt'>;
  readonly deliveries: readonly api.Delivery[];
}

/** What happened to a quote, from its beginning. */
export function timelineOf({ quote, deliveries }: SentStory): readonly TimelineEvent[] {
  const { createdAt, openedAt, decision, contractedAt } = quote;
  const events: readonly TimelineEvent[] = [
    { kind: 'created', at: createdAt },
    ...deliveries.map((delivery) => ({ kind: 'mailed' as const, at: delivery.createdAt, delivery })),
    ...(openedAt !== null ? [{ kind: 'opened' as const, at: openedAt }] : []),
    ...(decision ? [{ kind: decision.decision, at: decision.decidedAt, decision }] : []),
    ...(contractedAt !== null ? [{ kind: 'contract' as const, at: contractedAt }] : []),
  ];
  return events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
