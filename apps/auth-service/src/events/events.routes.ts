import { EventPageAnswer, eventsPath } from '@tenantry/contracts';
import type { Service } from '@tenantry/service/http';
import type { Events } from './events.ts';
import { feedRoute } from './feeds/feeds.routes.ts';

/** The events about users, members and organizations, for peers with the key. */
export function eventsRoutes(app: Service, { feed }: Events): void {
  feedRoute(app, { path: eventsPath, access: 'internal', postpones: true, feed, answer: EventPageAnswer });
}
