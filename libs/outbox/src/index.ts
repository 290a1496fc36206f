export { DueWork, createScheduleWork } from './due-work.ts';
export type { DueWorkKind, DueWorkOptions, Outcome, ScheduleWork, WorkTenant } from './due-work.ts';
export type { DueItem } from './due-work-queue.ts';
export { Notifications } from './notifications.ts';
export type { NotificationsOptions } from './notifications.ts';
export { Outbox } from './outbox.ts';
export type {
  Deliver,
  Delivery,
  Message,
  Messages,
  NewMessage,
  NotDelivered,
  OutboxOptions,
} from './outbox.ts';
export { Worker } from './worker.ts';
export type { Claim, Claimed, Queue, WorkerLogger, WorkerOptions, WorkKinds } from './worker.ts';
export type { Backlog } from './work-metrics.ts';
