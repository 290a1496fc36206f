import type { TenantDatabase, TenantRows, TenantScope } from '@tenantry/tenancy';
import { inSpan } from '@tenantry/tracing';
import type { Measurement } from '../metrics/measurement.ts';
import { statement } from '../statements.ts';
import { DueWorkQueue, type DueItem } from './due-work-queue.ts';
import { Notifications } from './notifications.ts';
import { Worker, type Queue, type WorkerOptions } from './worker.ts';

/** The rows of the organization that work is done in. */
export type WorkTenant = TenantScope<{ readonly organizationId: string }>;

/** Whether work is done, or when it is due again. */
export type Outcome = 'done' | { readonly againAfterSeconds: number };

/** A kind of work. */
export interface DueWorkKind {
  /** Does the work within its organization. If it throws, it is retried at growing intervals. */
  work(item: DueItem, context: { tenant: WorkTenant; signal: AbortSignal }): Promise<Outcome>;
  /** Called after the last attempt; without it the work is never given up. */
  giveUp?(item: DueItem, context: { tenant: WorkTenant }): Promise<Outcome>;
}

/** Options of {@link DueWork}. */
export interface DueWorkOptions extends Omit<WorkerOptions<DueItem>, 'name' | 'queue' | 'work' | 'kinds'> {
  readonly database: TenantDatabase;
  /** The kinds by name; other kinds are left to other workers. */
  readonly kinds: Readonly<Record<string, DueWorkKind>>;
  /** Maximum running pieces of one organization; default: half of `concurrency`. */
  readonly perOrganizationMax?: number;
  /** Connection string to listen for work of other instances; without it the worker only polls. */
  readonly connectionString?: string;
}

/** Stores work that is done after the commit. */
export type ScheduleWork = (
  rows: TenantRows,
  work: { readonly kind: string; readonly id: string; readonly afterSeconds?: number },
) => Promise<void>;

const insertWork = statement({
  name: 'due-work-schedule',
  text: `
    INSERT INTO due_work (organization_id, kind, id, next_attempt_at, is_ready)
    VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4), $4 <= 0)
    ON CONFLICT (organization_id, kind, id) DO UPDATE SET is_ready = true
    WHERE due_work.attempts > 0 AND NOT due_work.is_ready`,
});

/**
 * {@link ScheduleWork}, once for each kind and id: work that is already scheduled is unchanged, but for an attempt that has begun,
 * which may have read what was there before this transaction. Such work is due again when the attempt is done.
 */
export const scheduleWork: ScheduleWork = async (rows, { kind, id, afterSeconds = 0 }) => {
  await rows.query(insertWork, [kind, id, afterSeconds]);
};

// None of these changes work that another instance has claimed meanwhile.
const workDone = statement({
  name: 'due-work-done',
  text: `
    DELETE FROM due_work WHERE organization_id = $1 AND kind = $2 AND id = $3 AND attempts = $4 AND NOT is_ready
    RETURNING id`,
});

const workAnswered = statement({
  name: 'due-work-answered',
  text: `
    UPDATE due_work SET unanswered = 0 WHERE organization_id = $1 AND kind = $2 AND id = $3 AND attempts = $4`,
});

const retryWork = statement({
  name: 'due-work-retry',
  text: `
    UPDATE due_work SET unanswered = 0, next_attempt_at = clock_timestamp() + make_interval(secs => $5), is_ready = false
    WHERE organization_id = $1 AND kind = $2 AND id = $3 AND attempts = $4`,
});

const workAgain = statement({
  name: 'due-work-again',
  text: `
    UPDATE due_work SET attempts = 0, unanswered = 0, is_ready = $5 <= 0,
      next_attempt_at = clock_timestamp() + make_interval(secs => $5)
    WHERE organization_id = $1 AND kind = $2 AND id = $3 AND attempts = $4`,
});

/**
 * Finds work across organizations, and does each job within its own: the table it searches names organizations and rows, and
 * the rows themselves are then read under row-level security.
 *
 * @example
 * const worker = new DueWork({ database, logger, kinds: { outbox: outbox.delivery({ 'quote-mail': sendQuote }) } });
 */
export class DueWork {
  readonly #options: DueWorkOptions;
  readonly #worker: Worker<DueItem>;
  readonly #notifications: Notifications | undefined;

  constructor(options: DueWorkOptions) {
    const { database, kinds, ...limits } = options;
    const names = Object.keys(kinds);
    this.#options = options;
    this.#worker = new Worker({
      ...limits,
      name: 'due work',
      kinds: { names, of: ({ kind }) => kind },
      queue: this.#queueOf(new DueWorkQueue(database, names)),
      work: (item, signal) => this.#work(item, signal),
    });
    const { connectionString, logger } = options;
    this.#notifications =
      connectionString === undefined
        ? undefined
        : new Notifications({
            connectionString,
            channel: 'due_work',
            onNotification: () => this.wake(),
            onFailure: (error) => logger.warn({ err: error }, 'notifications are not heard; polling goes on'),
          });
  }

  get measurements(): readonly Measurement[] {
    return this.#worker.measurements;
  }

  start(): void {
    this.#worker.start();
    this.#notifications?.start();
  }

  /** Looks for work now. May be called anywhere, also within a transaction. */
  wake(): void {
    this.#worker.wake();
  }

  /** Stops claiming, and resolves when the running work is done or has timed out. */
  async close(): Promise<void> {
    await Promise.all([this.#notifications?.close(), this.#worker.close()]);
  }

  #queueOf(due: DueWorkQueue): Queue<DueItem> {
    const { concurrency = 4, perOrganizationMax = Math.max(1, Math.floor(concurrency / 2)) } = this.#options;
    return {
      claim: (claim) => due.claim({ ...claim, perOrganizationMax }),
      answered: async (item) => {
        await this.#tenantOf(item).query(workAnswered, [item.kind, item.id, item.attempts]);
      },
      retry: async (item, afterSeconds) => {
        await this.#tenantOf(item).query(retryWork, [item.kind, item.id, item.attempts, afterSeconds]);
      },
      giveUp: async (item) => {
        const tenant = this.#tenantOf(item);
        const outcome = await this.#options.kinds[item.kind]?.giveUp?.(item, { tenant });
        if (outcome) await this.#end(tenant, item, outcome);
        else await tenant.query(workAnswered, [item.kind, item.id, item.attempts]);
      },
      backlog: () => due.backlog(),
    };
  }

  async #work(item: DueItem, signal: AbortSignal): Promise<void> {
    const tenant = this.#tenantOf(item);
    const kind = this.#options.kinds[item.kind];
    const outcome = await inSpan(item.kind, {}, async () => kind?.work(item, { tenant, signal }));
    if (outcome) await this.#end(tenant, item, outcome);
  }

  async #end(tenant: WorkTenant, { kind, id, attempts }: DueItem, outcome: Outcome): Promise<void> {
    if (outcome === 'done') {
      const isGone = (await tenant.query(workDone, [kind, id, attempts])).length > 0;
      if (isGone) return;
    }
    // Done work that is still there was scheduled during the attempt.
    const seconds = outcome === 'done' ? 0 : outcome.againAfterSeconds;
    await tenant.query(workAgain, [kind, id, attempts, seconds]);
  }

  #tenantOf({ organizationId }: DueItem): WorkTenant {
    return this.#options.database.within({ organizationId });
  }
}
