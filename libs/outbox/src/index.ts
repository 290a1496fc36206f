export { createDueWork, createScheduleWork } from './due-work.ts';
export type { DueItem, DueWorkKind, DueWorkOptions, Outcome, ScheduleWork, WorkTenant } from './due-work.ts';
export { listenForNotifications } from './notifications.ts';
export type { Notifications, NotificationsOptions } from './notifications.ts';
export { createOutbox } from './outbox.ts';
export type { Deliver, Delivery, Message, Messages, NewMessage, Outbox, OutboxOptions } from './outbox.ts';
export { createWorker } from './worker.ts';
export type { Claimed, Queue, Worker, WorkerLogger, WorkerOptions } from './worker.ts';
