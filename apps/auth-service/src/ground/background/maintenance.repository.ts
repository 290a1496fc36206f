import type { AuthDatabase } from '../../database.ts';

/** Which instance may sweep. */
export interface MaintenanceRepository {
  /** Runs work unless another instance is at it; says whether it ran. */
  exclusively(work: () => Promise<void>): Promise<boolean>;
}

const lockText = `SELECT pg_try_advisory_lock(hashtext('tenantry.auth.maintenance')) AS locked`;
const unlockText = `SELECT pg_advisory_unlock(hashtext('tenantry.auth.maintenance'))`;

/** The lock in PostgreSQL: it belongs to a connection, and ends with it. */
export function createMaintenanceRepository({ pool }: AuthDatabase): MaintenanceRepository {
  return {
    async exclusively(work) {
      const client = await pool.connect();
      let broken = true;
      try {
        const { rows } = await client.query<{ locked: boolean }>(lockText);
        const locked = rows[0]?.locked === true;
        if (locked) {
          await work();
          await client.query(unlockText);
        }
        broken = false;
        return locked;
      } finally {
        client.release(broken);
      }
    },
  };
}
