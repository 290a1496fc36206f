import type { UnreadyReason } from '../health/health.ts';
import type { Service } from '../http/service.ts';
import type { Measurement } from '../metrics/measurement.ts';

/** What an instance does beside answering requests: a consumer of events, an outbox's worker, a clock that is followed. */
export interface BackgroundWork {
  /** Begins. Called in the order of the list before the service listens; a rejection keeps it from starting. */
  start?(): void | Promise<void>;
  /** Ends; resolves when nothing of it runs any more. Called once no request runs any more, also where it never began. */
  close?(): void | Promise<void>;
  /** Why the service cannot serve because of this work; undefined when it can. */
  unreadyBecause?(): ReturnType<UnreadyReason>;
  /** What Prometheus reads of it. */
  readonly measurements?: readonly Measurement[];
}

/** Starts the work with the service, measures it, and ends it before what it works with is closed. */
export function runWithService(app: Service, work: readonly BackgroundWork[]): void {
  for (const { measurements = [] } of work) app.measure(measurements);
  app.addHook('onReady', async () => {
    for (const one of work) await one.start?.();
  });
  app.addHook('onClose', async () => {
    await Promise.all(work.map(async (one) => one.close?.()));
  });
}

/** The first reason that any of these has. */
export function firstReason(work: readonly BackgroundWork[]): UnreadyReason {
  return async () => {
    for (const one of work) {
      const reason = await one.unreadyBecause?.();
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}
