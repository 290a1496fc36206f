export { DueWork, scheduleWork } from './due-work.ts';
export type { DueWorkKind, DueWorkOptions, Outcome, ScheduleWork, WorkTenant } from './due-work.ts';
export type { DueItem } from './due-work-queue.ts';
export { Notifications } from './notifications.ts';
export { Outbox } from './outbox.ts';
export type { Deliver, Delivery, Message, NotDelivered } from './outbox.ts';
export { Worker } from './worker.ts';
export type { Claimed, Queue, WorkerOptions } from './worker.ts';
