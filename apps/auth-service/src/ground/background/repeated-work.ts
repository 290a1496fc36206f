import type { BackgroundWork } from '@tenantry/service';
import type { Logger } from '@tenantry/service-kit';
import { inTrace } from '@tenantry/tracing';

/** What is done over and over. */
export interface RepeatedWork {
  /** For traces and the log: `purge organizations`. */
  readonly name: string;
  readonly intervalMs: number;
  /** Whether it is also done as the service starts. */
  readonly atStart?: boolean;
  /** Does it once, and ends early where the signal fires. What it leaves is for the next time, as is what it fails at. */
  readonly run: (ending: AbortSignal) => Promise<unknown>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Has an instance do work over and over, once at a time. */
export function repeatWork(work: RepeatedWork): Required<Pick<BackgroundWork, 'start' | 'close'>> {
  const { name, intervalMs, atStart = false, run, logger } = work;
  const ending = new AbortController();
  let running: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    running ??= inTrace(name, () => run(ending.signal))
      .catch((error: unknown) => logger.warn({ err: error }, `${name}: failed`))
      .finally(() => (running = undefined));
  }

  return {
    start() {
      timer = setInterval(begin, intervalMs).unref();
      if (atStart) begin();
    },
    async close() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}
