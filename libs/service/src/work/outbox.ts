import { theOne, type TenantRows, type TenantTransaction } from '@tenantry/tenancy';
import { statement } from '../statements.ts';
import type { DueWorkKind, Outcome, WorkTenant } from './due-work.ts';
import { unansweredMax, type DueItem } from './due-work-queue.ts';

/** The payloads of a service's messages, by topic. */
export type Messages = Readonly<Record<string, object>>;

/** A new message. */
export interface NewMessage<Topic, Payload> {
  readonly topic: Topic;
  /** The id of its subject. */
  readonly subjectId: string;
  /** Stored in plain text: use only ids, and create tokens at delivery. At most 64 KiB. */
  readonly payload: Payload;
}

/** A message that is to be delivered. */
export interface Message<Payload> {
  /** The same at every attempt, so that a recipient can recognize repetitions. */
  readonly id: string;
  readonly subjectId: string;
  readonly payload: Payload;
  readonly createdAt: Date;
  /** Recent attempts that ended with their process: leave out what may have crashed it. */
  readonly unfinished: number;
}

/** The state of a message. */
export interface Delivery {
  readonly id: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  /** Why it waits or was dropped, other than for a failed attempt: a code. */
  readonly reason: string | null;
  /** The next attempt; null during an attempt, and if it is done, set aside, or paused. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** When it was delivered or given up; null while it waits. */
  readonly endedAt: Date | null;
  readonly payload: unknown;
}

/** The outcome for a message that was not delivered: it waits, or is dropped, for a reason that its organization can see. */
export type NotDelivered =
  | { readonly againAfterSeconds: number; readonly reason: string }
  | { readonly droppedBecause: string };

/** Delivers one message; if it throws, it is retried at growing intervals. At least once: a crash may repeat it. */
export type Deliver<Payload> = (
  message: Message<Payload>,
  context: { tenant: WorkTenant; signal: AbortSignal },
) => Promise<NotDelivered | undefined>;

/** Options of {@link Outbox}. */
export interface OutboxOptions {
  /** Days that a message is kept after it is done; default 365. */
  readonly keepDays?: number;
}

const putMessage = statement({
  name: 'outbox-put',
  text: `
    WITH message AS (
      INSERT INTO outbox (organization_id, topic, subject_id, payload) VALUES ($1, $2, $3, $4)
      RETURNING organization_id, id)
    INSERT INTO due_work (organization_id, kind, id, is_ready) SELECT organization_id, 'outbox', id, true FROM message
    RETURNING id`,
});

const findMessage = statement({
  name: 'outbox-find',
  text: `
    SELECT id, topic, subject_id AS "subjectId", payload, created_at AS "createdAt", coalesce(delivered_at, failed_at) IS NOT NULL AS "isOver"
    FROM outbox WHERE organization_id = $1 AND id = $2`,
});

const endMessage = statement({
  name: 'outbox-end',
  text: `
    UPDATE outbox SET attempts = $3, delivered_at = CASE $4 WHEN 'delivered' THEN clock_timestamp() END,
      failed_at = CASE $4 WHEN 'failed' THEN clock_timestamp() END, reason = $5
    WHERE organization_id = $1 AND id = $2`,
});

const countAttempt = statement({
  name: 'outbox-count-attempt',
  text: 'UPDATE outbox SET attempts = $3, reason = NULL WHERE organization_id = $1 AND id = $2',
});

const postponeMessage = statement({
  name: 'outbox-postpone',
  text: 'UPDATE outbox SET attempts = attempts - 1, reason = $3 WHERE organization_id = $1 AND id = $2',
});

const removeMessage = statement({
  name: 'outbox-remove',
  text: 'DELETE FROM outbox WHERE organization_id = $1 AND id = $2',
});

const listDeliveries = statement({
  name: 'outbox-list',
  text: `
    SELECT o.id, o.attempts, o.payload, o.created_at AS "createdAt", coalesce(o.delivered_at, o.failed_at) AS "endedAt",
      CASE WHEN o.delivered_at IS NOT NULL THEN 'delivered' WHEN o.failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END
        AS state,
      CASE WHEN due.aside AND o.failed_at IS NULL THEN 'SET_ASIDE' ELSE o.reason END AS reason,
      CASE WHEN o.delivered_at IS NULL AND o.failed_at IS NULL AND due.unanswered = 0
        THEN nullif(due.next_attempt_at, 'infinity') END AS "nextAttemptAt"
    FROM outbox o LEFT JOIN LATERAL (
      SELECT w.next_attempt_at, w.unanswered, w.unanswered >= ${unansweredMax} AND w.next_attempt_at <= clock_timestamp() AS aside FROM due_work w
      WHERE w.organization_id = $1 AND w.kind = 'outbox' AND w.id = o.id) AS due ON true
    WHERE o.organization_id = $1 AND o.subject_id = $2 AND o.topic = $3 ORDER BY o.id DESC LIMIT 100`,
});

/**
 * Work outside of the database that must follow a commit: mail, calls, webhooks. Uses the tables of sql/outbox.sql.
 *
 * @example
 * const outbox = new Outbox<{ 'quote-mail': { recipient: string } }>();
 * await outbox.put(tx, { topic: 'quote-mail', subjectId: quote.id, payload: { recipient } });
 */
export class Outbox<All extends Messages> {
  /** Scheduled once more for its deletion, since nothing else finds the messages of all organizations. */
  readonly #kept: Outcome;

  constructor({ keepDays = 365 }: OutboxOptions = {}) {
    this.#kept = { againAfterSeconds: keepDays * 24 * 60 * 60 };
  }

  /** Stores a message in the transaction that causes it; it is delivered soon after the commit, never without one. */
  async put<Topic extends keyof All & string>(
    tx: TenantTransaction,
    { topic, subjectId, payload }: NewMessage<Topic, All[Topic]>,
  ): Promise<{ id: string }> {
    return theOne(await tx.query(putMessage, [topic, subjectId, payload]));
  }

  /** The state of the messages of a topic about a subject, newest first; at most 100. */
  list(
    rows: TenantRows,
    { topic, subjectId }: { readonly topic: keyof All & string; readonly subjectId: string },
  ): Promise<Delivery[]> {
    return rows.query(listDeliveries, [subjectId, topic]);
  }

  /** The work of delivering, for {@link DueWork}. */
  delivery(deliver: {
    readonly [Topic in keyof All]: Deliver<All[Topic]>;
  }): DueWorkKind {
    return {
      work: async (item, { tenant, signal }) => {
        const [message] = await tenant.query(findMessage, [item.id]);
        if (!message || message.isOver) {
          await tenant.query(removeMessage, [item.id]);
          return 'done';
        }
        await tenant.query(countAttempt, [item.id, item.attempts]);
        const send = deliver[message.topic];
        if (!send) throw new Error(`no delivery for the topic ${message.topic}`);
        const { id, subjectId, createdAt } = message;
        // The payload of its topic.
        const payload = message.payload as All[keyof All & string];
        const { unfinished } = item;
        const missed = await send({ id, subjectId, payload, createdAt, unfinished }, { tenant, signal });
        if (!missed) return this.#end(tenant, item, ['delivered']);
        if ('droppedBecause' in missed) return this.#end(tenant, item, ['failed', missed.droppedBecause]);
        await tenant.query(postponeMessage, [id, missed.reason]);
        return { againAfterSeconds: missed.againAfterSeconds };
      },
      giveUp: (item, { tenant }) => this.#end(tenant, item, ['failed']),
    };
  }

  async #end(
    tenant: WorkTenant,
    { id, attempts }: DueItem,
    [state, reason]: readonly [Delivery['state'], string?],
  ): Promise<Outcome> {
    await tenant.query(endMessage, [id, attempts, state, reason ?? null]);
    return this.#kept;
  }
}
