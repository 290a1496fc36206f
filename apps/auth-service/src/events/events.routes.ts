import { EventPageAnswer, eventsPath } from '@tenantry/contracts';
import type { Service } from '@tenantry/service-kit';
import type { Events } from './events.ts';
import { feedRoute } from './feeds/feeds.routes.ts';

/** What other services learn of users, members and organizations: for peers that show the key. */
export function eventsRoutes(app: Service, { feed }: Events): void {
  feedRoute(app, { path: eventsPath, access: 'internal', feed, answer: EventPageAnswer });
}
