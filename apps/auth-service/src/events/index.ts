/** Events for other services, recorded with the change that causes them, and the feeds in which they are read. */
export {
  Events,
  recordErasure,
  recordEvent,
  recordMember,
  recordMembers,
  recordUserUpdated,
} from './events.ts';
export { eventsRoutes } from './events.routes.ts';
export type { FeedTable } from './feeds/feed.repository.ts';
export { openFeed } from './feeds/feed.ts';
export type { Feed } from './feeds/feed.ts';
export { feedRoute } from './feeds/feeds.routes.ts';
