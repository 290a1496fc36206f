import type { AuthDatabase } from '../../database.ts';

/** Which instance may sweep. */
export interface MaintenanceRepository {
  /** Runs one batch and gives its result, or undefined at once where another instance is at one. */
  exclusively<Result>(batch: () => Promise<Result>): Promise<Result | undefined>;
}

/** A lock of the database. It is held for no more than a batch, so that its transaction stays short. */
export function createMaintenanceRepository(database: AuthDatabase): MaintenanceRepository {
  return { exclusively: (batch) => database.exclusively('tenantry.auth.maintenance', batch) };
}
