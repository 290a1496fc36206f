import type { AuthDatabase } from '../../database.ts';

/** What is over, and may go. */
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

const expiredRevocations = 'DELETE FROM revocations WHERE until < clock_timestamp()';
const endedMail = `DELETE FROM mail_outbox WHERE payload IS NULL AND created_at < clock_timestamp() - INTERVAL '7 days'`;
const oldRequests = `DELETE FROM internal_requests WHERE created_at < clock_timestamp() - INTERVAL '24 hours'`;
// The latest event of a subject tells all there is to know of it, and its end needs to be told no longer than any
// reader may lag behind.
const replacedEvents = `
  DELETE FROM events old WHERE old.created_at < clock_timestamp() - make_interval(secs => $1) AND (
    old.type IN ('user.erased', 'member.removed', 'organization.deleted')
    OR EXISTS (SELECT FROM events later WHERE later.subject = old.subject AND later.id > old.id))`;

/** The sweeps of what this folder's neighbours write. */
export function standardSweeps({ pool }: AuthDatabase, eventRetentionSeconds: number) {
  const sweep =
    (text: string, values: readonly unknown[] = []) =>
    async (): Promise<void> => {
      await pool.query(text, [...values]);
    };
  return {
    revocations: sweep(expiredRevocations),
    internalRequests: sweep(oldRequests),
    mail: sweep(endedMail),
    events: sweep(replacedEvents, [eventRetentionSeconds]),
  };
}
