import type { AuthDatabase } from '../database.ts';

/** A letter that this instance has taken on. */
export interface ClaimedMail {
  readonly id: string;
  readonly template: string;
  readonly payload: Buffer;
  readonly secretId: string;
  /** This attempt included. */
  readonly attempts: number;
}

/** The outbox as the worker sees it. */
export interface MailQueue {
  /**
   * Takes on letters that are due. Nobody else does until `leaseSeconds` have passed, doubled with every attempt: an
   * instance that dies meanwhile loses nothing, and a mail server that is away is asked less and less often.
   */
  claim(options: { readonly limit: number; readonly leaseSeconds: number }): Promise<ClaimedMail[]>;
  markSent(id: string): Promise<void>;
  giveUp(id: string): Promise<void>;
}

// Skipped, not waited for, is what another instance is taking on at this moment.
const claimText = `
  UPDATE mail_outbox SET attempts = attempts + 1,
    next_attempt_at = clock_timestamp() + least(make_interval(secs => $2 * 2 ^ attempts), INTERVAL '2 hours')
  WHERE id IN (
    SELECT id FROM mail_outbox WHERE payload IS NOT NULL AND next_attempt_at <= clock_timestamp()
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id, template, payload, secret_id AS "secretId", attempts`;

// What is over carries no token any more.
const sentText = `UPDATE mail_outbox SET sent_at = clock_timestamp(), payload = NULL WHERE id = $1 AND payload IS NOT NULL`;
const failedText = `UPDATE mail_outbox SET failed_at = clock_timestamp(), payload = NULL WHERE id = $1 AND payload IS NOT NULL`;

/** The outbox in PostgreSQL. Letters are nobody's rows: there is no scope. */
export function createMailQueue({ pool }: AuthDatabase): MailQueue {
  return {
    async claim({ limit, leaseSeconds }) {
      const query = { name: 'mail-claim', text: claimText, values: [limit, leaseSeconds] };
      const { rows } = (await pool.query(query)) as { rows: ClaimedMail[] };
      return rows;
    },
    async markSent(id) {
      await pool.query({ name: 'mail-sent', text: sentText, values: [id] });
    },
    async giveUp(id) {
      await pool.query({ name: 'mail-failed', text: failedText, values: [id] });
    },
  };
}
