import type { Logger } from '@tenantry/service-kit';
import type { AuthDatabase } from '../../database.ts';
import type { Sweep } from './sweep.repository.ts';

/** Options of {@link Maintenance}. */
export interface MaintenanceOptions {
  readonly database: Pick<AuthDatabase, 'exclusively'>;
  /** By name, for the log. */
  readonly sweeps: Readonly<Record<string, Sweep>>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Batches that one run takes of each table at most. */
  readonly batchesMax?: number;
}

/** Keeps every table bounded, in one instance at a time. */
export class Maintenance {
  readonly #options: MaintenanceOptions;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /**
   * Sweeps batch by batch. Of instances that meet, the one that finds the other at a batch leaves the rest to it; says
   * whether it went through itself. A sweep that fails leaves the others alone, and what is left over is for the next run.
   */
  async run(ending?: AbortSignal): Promise<boolean> {
    const { sweeps, logger } = this.#options;
    for (const [name, sweep] of Object.entries(sweeps)) {
      const isMine = await this.#sweepTable(sweep, ending).catch((error: unknown) => {
        logger.warn({ sweep: name, err: error }, 'a sweep failed');
        return true;
      });
      if (!isMine) return false;
    }
    return true;
  }

  /** Says whether it came to its end: false once another instance is at it. */
  async #sweepTable(sweep: Sweep, ending?: AbortSignal): Promise<boolean> {
    const { database, batchesMax = 1_000 } = this.#options;
    for (let batches = 0; batches < batchesMax && !ending?.aborted; batches += 1) {
      // The lock is held for one batch, so that its transaction stays short.
      const areMore = await database.exclusively('tenantry.auth.maintenance', sweep);
      if (areMore === undefined) return false;
      if (!areMore) return true;
    }
    return true;
  }
}
