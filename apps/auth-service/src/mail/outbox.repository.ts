import { unscopedStatement, type Transaction, type Unscoped } from '../database.ts';
import { defineSweep } from '../ground/index.ts';
import type { Statements } from '../statements.types.ts';
import type { TemplateName } from './letter.ts';

/** A letter as it is stored. */
interface NewMail {
  readonly id: string;
  readonly recipient: string;
  readonly template: string;
  readonly payload: Buffer;
  readonly secretId: string;
}

/** A letter that this instance has claimed. */
export type ClaimedMail = Statements['mail-claim']['row'];

/** Letters that are due. */
type MailBacklog = Statements['mail-backlog']['row'];

const insertMail = unscopedStatement({
  name: 'mail-insert',
  text: 'INSERT INTO mail_outbox (id, recipient, template, payload, secret_id) VALUES ($1, $2, $3, $4, $5)',
});

const deleteMailTo = unscopedStatement({
  name: 'mail-delete-to',
  text: 'DELETE FROM mail_outbox WHERE recipient = $1 AND template IS DISTINCT FROM $2',
});

// A letter that another instance is claiming is skipped, not waited for. Materialized: a plan that ran the inner query once for
// each row would claim another letter each time, and leave all but one waiting until their leases end. Times are compared as
// they are stored, in milliseconds: a letter that has just been inserted may otherwise be due half a millisecond later.
const claimMail = unscopedStatement({
  name: 'mail-claim',
  text: `
    WITH due AS MATERIALIZED (
      SELECT id FROM mail_outbox WHERE payload IS NOT NULL AND next_attempt_at <= clock_timestamp()::timestamptz(3)
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE mail_outbox m SET attempts = m.attempts + 1,
      next_attempt_at = clock_timestamp() + least(make_interval(secs => $1 * 2 ^ m.attempts), INTERVAL '2 hours')
    FROM due WHERE m.id = due.id AND m.payload IS NOT NULL
    RETURNING m.id, m.template, m.payload, m.secret_id AS "secretId", m.attempts`,
});

const mailBacklog = unscopedStatement({
  name: 'mail-backlog',
  text: `
    SELECT count(*)::int AS due,
      coalesce(extract(epoch FROM statement_timestamp() - min(next_attempt_at)), 0)::float8 AS "oldestSeconds"
    FROM (
      SELECT next_attempt_at FROM mail_outbox
      WHERE payload IS NOT NULL AND next_attempt_at <= statement_timestamp()
      ORDER BY next_attempt_at LIMIT 10000) AS due`,
});

// A finished letter keeps no token.
const endMail = (column: 'sent_at' | 'failed_at') =>
  unscopedStatement({
    name: `mail-${column}`,
    text: `UPDATE mail_outbox SET ${column} = clock_timestamp(), payload = NULL WHERE id = $1 AND payload IS NOT NULL`,
  });
const markSent = endMail('sent_at');
const giveUp = endMail('failed_at');

/** Deletes letters that were sent or given up a week ago. */
export const sweepMail = defineSweep({
  table: 'mail_outbox',
  over: `payload IS NULL AND created_at < statement_timestamp() - INTERVAL '7 days'`,
  by: 'created_at',
});

/** Where letters wait to be sent. They belong to no tenant. */
export class OutboxRepository {
  async insert(tx: Transaction, { id, recipient, template, payload, secretId }: NewMail): Promise<void> {
    tx.send(insertMail, [id, recipient, template, payload, secretId]);
  }

  /** Deletes the letters to an address, sent and unsent, but for those of one template. */
  async deleteTo(tx: Transaction, recipient: string, except: TemplateName | null): Promise<void> {
    tx.send(deleteMailTo, [recipient, except]);
  }

  /**
   * Claims the letter that has been due for longest. No other instance does until `leaseSeconds` have passed, doubled with
   * every attempt: an instance that dies meanwhile loses nothing, and a mail server that is down is tried less and less often.
   */
  async claim(rows: Unscoped, leaseSeconds: number): Promise<ClaimedMail | undefined> {
    return (await rows.query(claimMail, [leaseSeconds]))[0];
  }

  /** How many due letters no instance has claimed, 10,000 at most, and how long the oldest has been due. */
  async backlog(rows: Unscoped): Promise<MailBacklog> {
    const [backlog] = await rows.query(mailBacklog, []);
    return backlog ?? { due: 0, oldestSeconds: 0 };
  }

  async markSent(rows: Unscoped, id: string): Promise<void> {
    await rows.query(markSent, [id]);
  }

  async giveUp(rows: Unscoped, id: string): Promise<void> {
    await rows.query(giveUp, [id]);
  }
}
