import type { Service } from '@tenantry/service-kit';
import { EventPageAnswer } from '../events/events.schemas.ts';
import type { Feed } from '../events/feeds/feed.ts';
import { feedRoute } from '../events/feeds/feeds.routes.ts';
import { RevocationPageAnswer } from '../tokens/revocations/revocations.schemas.ts';

/** What peer services are offered. */
export interface InternalRoutesOptions {
  readonly revocations: Feed;
  readonly events: Feed;
}

/**
 * What services tell each other; the gateway routes nothing under /internal.
 *
 * Revocations need no key, so that a verifier needs nothing but an address: they name sessions and users by ids that
 * mean nothing to anyone else.
 */
export function internalRoutes(app: Service, { revocations, events }: InternalRoutesOptions): void {
  feedRoute(app, {
    path: '/internal/revocations',
    access: 'public',
    feed: revocations,
    answer: RevocationPageAnswer,
  });
  feedRoute(app, { path: '/internal/events', access: 'internal', feed: events, answer: EventPageAnswer });
}
