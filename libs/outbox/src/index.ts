export {
  DueWork,
  createScheduleWork,
  type DueWorkKind,
  type DueWorkOptions,
  type Outcome,
  type ScheduleWork,
  type WorkTenant,
} from './due-work.ts';
export type { DueItem } from './due-work-queue.ts';
export { listenForNotifications } from './notifications.ts';
export type { Notifications, NotificationsOptions } from './notifications.ts';
export {
  Outbox,
  type Deliver,
  type Delivery,
  type Message,
  type Messages,
  type NewMessage,
  type NotDelivered,
  type OutboxOptions,
} from './outbox.ts';
export {
  Worker,
  type Claim,
  type Claimed,
  type Queue,
  type WorkerLogger,
  type WorkerOptions,
  type WorkKinds,
} from './worker.ts';
export { countWork, watchBacklog } from './work-metrics.ts';
export type { Backlog, BacklogOptions, BacklogWatch, WorkCounts, WorkOutcome } from './work-metrics.ts';
