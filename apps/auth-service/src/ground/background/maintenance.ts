import type { Logger } from '@tenantry/service-kit';
import { inTrace } from '@tenantry/tracing';
import type { MaintenanceRepository } from './maintenance.repository.ts';
import type { Sweep } from './sweep.repository.ts';

/** What maintenance needs. */
export interface MaintenanceOptions {
  readonly repository: MaintenanceRepository;
  /** By name, for the log. */
  readonly sweeps: Readonly<Record<string, Sweep>>;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
  readonly intervalMs?: number;
  /** Batches that one run takes of each table at most. */
  readonly batchesMax?: number;
}

/** Keeps every table bounded. */
export interface Maintenance {
  start(): void;
  /**
   * Sweeps batch by batch. Of instances that meet, the one that finds the other at a batch leaves the rest to it; says
   * whether it went through itself. A sweep that fails leaves the others alone, and what is left over is for the next run.
   */
  run(): Promise<boolean>;
  close(): Promise<void>;
}

const standardIntervalMs = 10 * 60 * 1_000;
const standardBatchesMax = 1_000;

/** Makes the job that runs in every instance, and in one at a time. */
export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const {
    repository,
    sweeps,
    logger,
    intervalMs = standardIntervalMs,
    batchesMax = standardBatchesMax,
  } = options;
  let isClosing = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Says whether it came to its end: false once another instance is at it. */
  async function sweepTable(sweep: Sweep): Promise<boolean> {
    for (let batches = 0; batches < batchesMax && !isClosing; batches += 1) {
      const areMore = await repository.exclusively(sweep);
      if (areMore === undefined) return false;
      if (!areMore) return true;
    }
    return true;
  }

  async function sweepAll(): Promise<boolean> {
    for (const [name, sweep] of Object.entries(sweeps)) {
      const isMine = await sweepTable(sweep).catch((error: unknown) => {
        logger.warn({ sweep: name, err: error }, 'a sweep failed');
        return true;
      });
      if (!isMine) return false;
    }
    return true;
  }

  const run = () => inTrace('maintenance', sweepAll);

  return {
    run,
    start() {
      timer = setInterval(() => {
        running = run().catch((error: unknown) => logger.warn({ err: error }, 'maintenance failed'));
      }, intervalMs).unref();
    },
    async close() {
      clearInterval(timer);
      isClosing = true;
      await running;
    },
  };
}
