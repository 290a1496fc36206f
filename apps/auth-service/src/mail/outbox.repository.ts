import type { Transaction, Unscoped } from '../database.ts';

/** A letter as it is stored. */
export interface NewMail {
  readonly id: string;
  readonly recipient: string;
  readonly template: string;
  readonly payload: Buffer;
  readonly secretId: string;
}

/** A letter that this instance has taken on. */
export interface ClaimedMail {
  readonly id: string;
  readonly template: string;
  readonly payload: Buffer;
  readonly secretId: string;
  /** Including this attempt. */
  readonly attempts: number;
}

/** Where letters wait to be sent. They belong to no tenant. */
export interface OutboxRepository {
  insert(tx: Transaction, mail: NewMail): Promise<void>;
  /** Deletes every letter to an address, sent and unsent. */
  deleteTo(tx: Transaction, recipient: string): Promise<void>;
  /**
   * Takes on letters that are due. Nobody else does until `leaseSeconds` have passed, doubled with every attempt: an
   * instance that dies meanwhile loses nothing, and a mail server that is down is asked less and less often.
   */
  claim(
    pool: Unscoped,
    options: { readonly limit: number; readonly leaseSeconds: number },
  ): Promise<ClaimedMail[]>;
  markSent(pool: Unscoped, id: string): Promise<void>;
  giveUp(pool: Unscoped, id: string): Promise<void>;
  /** Deletes letters that were sent or given up a week ago. */
  sweep(pool: Unscoped): Promise<void>;
}

// What another instance is taking on at this moment is skipped, not waited for.
const claimText = `
  UPDATE mail_outbox SET attempts = attempts + 1,
    next_attempt_at = clock_timestamp() + least(make_interval(secs => $2 * 2 ^ attempts), INTERVAL '2 hours')
  WHERE id IN (
    SELECT id FROM mail_outbox WHERE payload IS NOT NULL AND next_attempt_at <= clock_timestamp()
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id, template, payload, secret_id AS "secretId", attempts`;

// A letter that is over keeps no token.
const endText = (column: 'sent_at' | 'failed_at') =>
  `UPDATE mail_outbox SET ${column} = clock_timestamp(), payload = NULL WHERE id = $1 AND payload IS NOT NULL`;

const sweepText = `DELETE FROM mail_outbox WHERE payload IS NULL AND created_at < clock_timestamp() - INTERVAL '7 days'`;

/** The outbox in PostgreSQL. */
export function createOutboxRepository(): OutboxRepository {
  return {
    async insert({ prisma }, { payload, ...mail }) {
      await prisma.mail.create({ data: { ...mail, payload: new Uint8Array(payload) } });
    },
    async deleteTo({ prisma }, recipient) {
      await prisma.mail.deleteMany({ where: { recipient } });
    },

    async claim(pool, { limit, leaseSeconds }) {
      const query = { name: 'mail-claim', text: claimText, values: [limit, leaseSeconds] };
      const { rows } = (await pool.query(query)) as { rows: ClaimedMail[] };
      return rows;
    },
    async markSent(pool, id) {
      await pool.query({ name: 'mail-sent', text: endText('sent_at'), values: [id] });
    },
    async giveUp(pool, id) {
      await pool.query({ name: 'mail-failed', text: endText('failed_at'), values: [id] });
    },

    async sweep(pool) {
      await pool.query(sweepText);
    },
  };
}
