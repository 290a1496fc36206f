import type { AuthDatabase } from '../../database.ts';

/** Which instance may sweep. */
export interface MaintenanceRepository {
  /** Runs one batch and gives its result, or undefined at once where another instance is at one. */
  exclusively<Result>(batch: () => Promise<Result>): Promise<Result | undefined>;
}

const lockText = `SELECT pg_try_advisory_xact_lock(hashtext('tenantry.auth.maintenance')) AS locked`;

/**
 * The lock in PostgreSQL. It belongs to a transaction, so that it also holds behind a pooler, and to no more than a batch,
 * so that the transaction stays short; it takes no snapshot, so vacuum goes on beside it.
 */
export function createMaintenanceRepository({ pool }: AuthDatabase): MaintenanceRepository {
  return {
    async exclusively(batch) {
      const client = await pool.connect();
      let broken = true;
      try {
        await client.query('BEGIN');
        const { rows } = await client.query<{ locked: boolean }>(lockText);
        try {
          return rows[0]?.locked === true ? await batch() : undefined;
        } finally {
          // Also after a batch that failed: at the next one its own lock would look like another instance's.
          await client.query('COMMIT');
          broken = false;
        }
      } finally {
        // A connection that ends takes its transaction and its lock with it.
        client.release(broken);
      }
    },
  };
}
