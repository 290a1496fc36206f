import type { Logger } from '@tenantry/service/logging';
import type { AuthDatabase } from '../../database.ts';
import type { Sweep } from './sweep.repository.ts';

interface MaintenanceOptions {
  readonly database: Pick<AuthDatabase, 'exclusively'>;
  /** By name, for the log. */
  readonly sweeps: Readonly<Record<string, Sweep>>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Maximum batches per table in one run. */
  readonly batchesMax?: number;
}

/** Keeps every table bounded, in one instance at a time. */
export class Maintenance {
  readonly #options: MaintenanceOptions;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /**
   * Sweeps batch by batch. If another instance is sweeping, this one leaves the rest to it; returns whether it completed the
   * run itself. A failing sweep does not affect the others, and the rest is left to the next run.
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

  /** Returns whether it finished: false if another instance is sweeping. */
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
