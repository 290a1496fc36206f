import { statement, type TenantRows, type TenantTransaction } from '@tenantry/tenancy';
import type { DueItem } from './due-work-queue.ts';
import type { DueWorkKind, Outcome, WorkTenant } from './due-work.ts';

/** What a service puts out, by topic. */
export type Messages = Readonly<Record<string, object>>;

/** A message about to be put out. */
export interface NewMessage<Topic, Payload> {
  readonly topic: Topic;
  /** The row that it is about. */
  readonly subjectId: string;
  /** Rests as it is: put ids into it, and make tokens when it is delivered. At most 64 KiB. */
  readonly payload: Payload;
}

/** A message that is to be delivered. */
export interface Message<Payload> {
  /** The same at every attempt, so that a recipient can tell a repetition. */
  readonly id: string;
  readonly subjectId: string;
  readonly payload: Payload;
  readonly createdAt: Date;
  /** Attempts of late that ended with their process: leave out what may have been its death. */
  readonly unfinished: number;
}

/** How far a message has come. */
export interface Delivery {
  readonly id: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly createdAt: Date;
  /** When it was delivered or given up; null while it waits. */
  readonly endedAt: Date | null;
  readonly payload: unknown;
}

/** Delivers one message; a throw has it tried again, later and later. At least once: a crash may repeat it. */
export type Deliver<Payload, Client> = (
  message: Message<Payload>,
  context: { tenant: WorkTenant<Client>; signal: AbortSignal },
) => Promise<void>;

/** What is to be done outside of the database, and has to follow from a commit: mail, calls, webhooks. */
export interface Outbox<All extends Messages> {
  /** Puts a message out, in the transaction of what it tells: delivered soon after the commit, never without one. */
  put<Topic extends keyof All & string>(
    tx: TenantTransaction<unknown>,
    message: NewMessage<Topic, All[Topic]>,
  ): Promise<{ id: string }>;
  /** How far the messages of a topic about a row have come, the latest first; at most 100. */
  list(
    rows: TenantRows<unknown>,
    about: { readonly topic: keyof All & string; readonly subjectId: string },
  ): Promise<Delivery[]>;
  /** The work of delivering, for `createDueWork`. */
  delivery<Client>(deliver: {
    readonly [Topic in keyof All]: Deliver<All[Topic], Client>;
  }): DueWorkKind<Client>;
}

/** What an outbox is made with. */
export interface OutboxOptions {
  /** How long a message is kept after its end; default 365. */
  readonly keepDays?: number;
}

interface StoredMessage extends Omit<Message<never>, 'unfinished'> {
  readonly topic: string;
  readonly isOver: boolean;
}

function defineStatements() {
  return {
    put: statement<{ id: string }, [topic: string, subjectId: string, payload: object]>({
      name: 'outbox-put',
      text: `
        WITH message AS (
          INSERT INTO outbox (organization_id, topic, subject_id, payload) VALUES ($1, $2, $3, $4)
          RETURNING organization_id, id)
        INSERT INTO due_work (organization_id, kind, id, is_ready) SELECT organization_id, 'outbox', id, true FROM message
        RETURNING id`,
    }),
    find: statement<StoredMessage, [id: string]>({
      name: 'outbox-find',
      text: `
        SELECT id, topic, subject_id AS "subjectId", payload, created_at AS "createdAt", coalesce(delivered_at, failed_at) IS NOT NULL AS "isOver"
        FROM outbox WHERE organization_id = $1 AND id = $2`,
    }),
    end: statement<never, [id: string, attempts: number, state: Delivery['state']]>({
      name: 'outbox-end',
      text: `
        UPDATE outbox SET attempts = $3, delivered_at = CASE $4 WHEN 'delivered' THEN clock_timestamp() END,
          failed_at = CASE $4 WHEN 'failed' THEN clock_timestamp() END
        WHERE organization_id = $1 AND id = $2`,
    }),
    count: statement<never, [id: string, attempts: number]>({
      name: 'outbox-count-attempt',
      text: 'UPDATE outbox SET attempts = $3 WHERE organization_id = $1 AND id = $2',
    }),
    remove: statement<never, [id: string]>({
      name: 'outbox-remove',
      text: 'DELETE FROM outbox WHERE organization_id = $1 AND id = $2',
    }),
    list: statement<Delivery, [subjectId: string, topic: string]>({
      name: 'outbox-list',
      text: `
        SELECT id, attempts, payload, created_at AS "createdAt", coalesce(delivered_at, failed_at) AS "endedAt",
          CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END
            AS state
        FROM outbox WHERE organization_id = $1 AND subject_id = $2 AND topic = $3 ORDER BY id DESC LIMIT 100`,
    }),
  };
}

/**
 * Makes an outbox on the tables of sql/outbox.sql.
 *
 * @example
 * const outbox = createOutbox<{ 'quote-mail': { recipient: string } }>();
 * await outbox.put(tx, { topic: 'quote-mail', subjectId: quote.id, payload: { recipient } });
 */
export function createOutbox<All extends Messages>({ keepDays = 365 }: OutboxOptions = {}): Outbox<All> {
  const statements = defineStatements();
  // Due once more when it is to be forgotten: nobody else finds the messages of all organizations.
  const kept: Outcome = { againAfterSeconds: keepDays * 24 * 60 * 60 };

  async function end(
    tenant: WorkTenant,
    { id, attempts }: DueItem,
    state: Delivery['state'],
  ): Promise<Outcome> {
    await tenant.query(statements.end, [id, attempts, state]);
    return kept;
  }

  return {
    async put(tx, { topic, subjectId, payload }) {
      const [message] = await tx.query(statements.put, [topic, subjectId, payload]);
      if (!message) throw new Error('INSERT … RETURNING answered no row');
      return message;
    },

    list: (rows, { topic, subjectId }) => rows.query(statements.list, [subjectId, topic]),

    delivery: (deliver) => ({
      async work(item, { tenant, signal }) {
        const [message] = await tenant.query(statements.find, [item.id]);
        if (!message || message.isOver) {
          await tenant.query(statements.remove, [item.id]);
          return 'done';
        }
        await tenant.query(statements.count, [item.id, item.attempts]);
        const send = deliver[message.topic];
        if (!send) throw new Error(`nobody delivers the topic ${message.topic}`);
        const { id, subjectId, payload, createdAt } = message;
        const { unfinished } = item;
        await send({ id, subjectId, payload, createdAt, unfinished }, { tenant, signal });
        return end(tenant, item, 'delivered');
      },
      giveUp: (item, { tenant }) => end(tenant, item, 'failed'),
    }),
  };
}
