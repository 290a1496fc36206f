import type { Logger } from '@tenantry/service-kit';
import type { MaintenanceRepository } from './maintenance.repository.ts';

/** Deletes what is over of one feature. */
export type Sweep = () => Promise<unknown>;

/** What maintenance needs. */
export interface MaintenanceOptions {
  readonly repository: MaintenanceRepository;
  /** By name, for the log. */
  readonly sweeps: Readonly<Record<string, Sweep>>;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
  readonly intervalMs?: number;
}

/** Keeps every table bounded. */
export interface Maintenance {
  start(): void;
  /** Sweeps once, unless another instance is at it; says whether it did. One that fails leaves the others alone. */
  run(): Promise<boolean>;
  close(): Promise<void>;
}

const standardIntervalMs = 10 * 60 * 1_000;

/** Makes the job that runs in every instance, and in one at a time. */
export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { repository, sweeps, logger, intervalMs = standardIntervalMs } = options;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function sweepAll(): Promise<void> {
    for (const [name, sweep] of Object.entries(sweeps)) {
      await sweep().catch((error: unknown) => logger.warn({ sweep: name, err: error }, 'a sweep failed'));
    }
  }

  const run = () => repository.exclusively(sweepAll);

  return {
    run,
    start() {
      timer = setInterval(() => {
        running = run().catch((error: unknown) => logger.warn({ err: error }, 'maintenance failed'));
      }, intervalMs).unref();
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
