import {
  statement,
  unscopedStatement,
  type TenantDatabase,
  type TenantRows,
  type TenantScope,
} from '@tenantry/tenancy';
import { inSpan } from '@tenantry/tracing';
import { listenForNotifications, type Notifications } from './notifications.ts';
import type { Backlog } from './work-metrics.ts';
import { createWorker, type Queue, type Worker, type WorkerOptions } from './worker.ts';

/** The rows of the organization that work is done in. */
export type WorkTenant<Client = unknown> = TenantScope<Client, { readonly organizationId: string }>;

/** Work that is due in an organization. */
export interface DueItem {
  readonly organizationId: string;
  readonly kind: string;
  /** The row that it is about, in a table that its kind knows. */
  readonly id: string;
  /** This attempt included. */
  readonly attempts: number;
}

/** Whether work is over, or when it is due again. */
export type Outcome = 'done' | { readonly againAfterSeconds: number };

/** What one kind of work does. */
export interface DueWorkKind<Client = unknown> {
  /** Does the work within its organization. A throw has it tried again, later and later. */
  work(item: DueItem, context: { tenant: WorkTenant<Client>; signal: AbortSignal }): Promise<Outcome>;
  /** After the last attempt; without it the work is never given up. */
  giveUp?(item: DueItem, context: { tenant: WorkTenant<Client> }): Promise<Outcome>;
}

/** What a worker on due work is made of. */
export interface DueWorkOptions<Client> extends Omit<
  WorkerOptions<DueItem>,
  'name' | 'queue' | 'work' | 'kinds'
> {
  readonly database: TenantDatabase<Client>;
  /** By their names in the table; others are left to other workers. */
  readonly kinds: Readonly<Record<string, DueWorkKind<Client>>>;
  /** Where to listen for work that other instances commit; without it the worker only polls. */
  readonly connectionString?: string;
}

/** Writes work down, to be done after the commit. */
export type ScheduleWork = (
  rows: TenantRows<unknown>,
  work: { readonly kind: string; readonly id: string; readonly afterSeconds?: number },
) => Promise<void>;

function defineStatements() {
  return {
    // Skipped, not waited for, is what another instance is claiming at this moment.
    claim: unscopedStatement<DueItem, [kinds: readonly string[], limit: number, leaseSeconds: number]>({
      name: 'due-work-claim',
      text: `
        WITH due AS MATERIALIZED (
          SELECT organization_id, kind, id FROM due_work WHERE kind = ANY($1) AND next_attempt_at <= clock_timestamp()
          ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        UPDATE due_work w SET attempts = w.attempts + 1, next_attempt_at = clock_timestamp()
          + least(make_interval(secs => $3 * 2 ^ least(w.attempts, 20)), INTERVAL '2 hours')
        FROM due WHERE (w.organization_id, w.kind, w.id) = (due.organization_id, due.kind, due.id)
        RETURNING w.organization_id AS "organizationId", w.kind, w.id, w.attempts`,
    }),
    backlog: unscopedStatement<Backlog, [kinds: readonly string[]]>({
      name: 'due-work-backlog',
      text: `
        SELECT kind AS work, count(due.next_attempt_at)::int AS due,
          coalesce(extract(epoch FROM now() - min(due.next_attempt_at)), 0)::float8 AS "oldestSeconds"
        FROM unnest($1::text[]) AS kind LEFT JOIN LATERAL (
          SELECT next_attempt_at FROM due_work w WHERE w.kind = kind AND w.next_attempt_at <= now()
          ORDER BY w.next_attempt_at LIMIT 10000) AS due ON true
        GROUP BY kind`,
    }),
    schedule: statement<never, [kind: string, id: string, afterSeconds: number]>({
      name: 'due-work-schedule',
      text: `
        INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
        VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
        ON CONFLICT (organization_id, kind, id) DO NOTHING`,
    }),
    done: statement<never, [kind: string, id: string]>({
      name: 'due-work-done',
      text: 'DELETE FROM due_work WHERE organization_id = $1 AND kind = $2 AND id = $3',
    }),
    // Unless it has been claimed anew meanwhile.
    retry: statement<never, [kind: string, id: string, attempts: number, afterSeconds: number]>({
      name: 'due-work-retry',
      text: `
        UPDATE due_work SET next_attempt_at = clock_timestamp() + make_interval(secs => $5)
        WHERE organization_id = $1 AND kind = $2 AND id = $3 AND attempts = $4`,
    }),
    again: statement<never, [kind: string, id: string, afterSeconds: number]>({
      name: 'due-work-again',
      text: `
        UPDATE due_work SET attempts = 0, next_attempt_at = clock_timestamp() + make_interval(secs => $4)
        WHERE organization_id = $1 AND kind = $2 AND id = $3`,
    }),
  };
}

/** Makes {@link ScheduleWork}. What is scheduled already stays as it is. */
export function createScheduleWork(): ScheduleWork {
  const { schedule } = defineStatements();
  return async (rows, { kind, id, afterSeconds = 0 }) => {
    await rows.query(schedule, [kind, id, afterSeconds]);
  };
}

/**
 * Makes a worker that finds work across organizations, and does each piece within its own: the table it looks into
 * names organizations and rows, and what these say is read under row-level security afterwards.
 *
 * @example
 * const worker = createDueWork({ database, logger, kinds: { outbox: outbox.delivery({ 'quote-mail': sendQuote }) } });
 */
export function createDueWork<Client>(options: DueWorkOptions<Client>): Worker {
  const { database, kinds, connectionString, logger, ...limits } = options;
  const { claim, backlog, done, again, retry } = defineStatements();
  const names = Object.keys(kinds);

  const end = async (tenant: WorkTenant, { kind, id }: DueItem, outcome: Outcome): Promise<void> => {
    if (outcome === 'done') await tenant.query(done, [kind, id]);
    else await tenant.query(again, [kind, id, outcome.againAfterSeconds]);
  };
  const queue: Queue<DueItem> = {
    claim: ({ limit, leaseSeconds }) => database.unscoped.query(claim, [names, limit, leaseSeconds]),
    async retry({ organizationId, kind, id, attempts }, afterSeconds) {
      await database.within({ organizationId }).query(retry, [kind, id, attempts, afterSeconds]);
    },
    async giveUp(item) {
      const tenant = database.within({ organizationId: item.organizationId });
      const outcome = await kinds[item.kind]?.giveUp?.(item, { tenant });
      if (outcome) await end(tenant, item, outcome);
    },
    backlog: () => database.unscoped.query(backlog, [names]),
  };
  const worker = createWorker<DueItem>({
    ...limits,
    logger,
    name: 'due work',
    kinds: { names, of: ({ kind }) => kind },
    queue,
    async work(item, signal) {
      const tenant = database.within({ organizationId: item.organizationId });
      const kind = kinds[item.kind];
      const outcome = await inSpan(item.kind, {}, async () => kind?.work(item, { tenant, signal }));
      if (outcome) await end(tenant, item, outcome);
    },
  });
  let notifications: Notifications | undefined;

  return {
    wake: worker.wake,
    measurements: worker.measurements,
    start() {
      worker.start();
      if (connectionString === undefined) return;
      notifications = listenForNotifications({
        connectionString,
        channel: 'due_work',
        onNotification: worker.wake,
        onFailure: (error) => logger.warn({ err: error }, 'notifications are not heard; polling goes on'),
      });
    },
    async close() {
      await Promise.all([notifications?.close(), worker.close()]);
    },
  };
}
