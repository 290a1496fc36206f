import { randomUUID } from 'node:crypto';
import type { TenantDatabase } from '@tenantry/tenancy';
import { unscopedStatement } from '../statements.ts';
import { arcsOf } from './ring.ts';
import type { Backlog } from './work-metrics.ts';
import type { Claim } from './worker.ts';

/** Work that is due in an organization. */
export interface DueItem {
  readonly organizationId: string;
  readonly kind: string;
  /** The id of the row, in the table of its kind. */
  readonly id: string;
  /** This attempt included. */
  readonly attempts: number;
  /** Earlier attempts whose process died, maybe because of this work. */
  readonly unfinished: number;
}

/** Limits of one organization. */
export interface DueClaim extends Claim<DueItem> {
  /** Maximum pieces of one organization that this instance runs at a time. */
  readonly perOrganizationMax: number;
}

/** After so many attempts whose process died, work is set aside. */
export const unansweredMax = 2;
const promotionMs = 1_000;

const hasEnded = (row: string) => `EXISTS (
  SELECT FROM organization_ends e WHERE e.organization_id = ${row}.organization_id AND e.ended_at IS NOT NULL)`;

// Rows that another instance is claiming are skipped, not waited for. Times are compared as they are stored, in milliseconds:
// work that has just been inserted may otherwise be due half a millisecond later.
const claimDue = unscopedStatement({
  name: 'due-work-claim',
  text: `
    WITH turn AS MATERIALIZED (
      SELECT head.* FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS arc (low, high, place)
      CROSS JOIN unnest($1::text[]) AS of (kind)
      CROSS JOIN LATERAL (
        SELECT w.organization_id, w.kind, w.id, w.next_attempt_at FROM due_work w
        WHERE w.kind = of.kind AND w.is_ready AND w.organization_id > arc.low AND w.organization_id < arc.high
          AND w.next_attempt_at <= clock_timestamp()::timestamptz(3) AND w.unanswered < $5
        ORDER BY w.organization_id, w.next_attempt_at LIMIT 1 FOR UPDATE OF w SKIP LOCKED) AS head
      ORDER BY arc.place, head.organization_id, head.next_attempt_at LIMIT 1
    ), next AS MATERIALIZED (
      SELECT turn.*, ${hasEnded('turn')} AS is_resting FROM turn
    ), claimed AS (
      UPDATE due_work w SET attempts = w.attempts + 1, unanswered = w.unanswered + 1, is_ready = false,
        next_attempt_at = clock_timestamp()
          + least(make_interval(secs => $4 * 2 ^ least(w.attempts, 20)), INTERVAL '2 hours')
      FROM next WHERE (w.organization_id, w.kind, w.id) = (next.organization_id, next.kind, next.id)
        AND NOT next.is_resting
      RETURNING w.attempts, w.unanswered)
    SELECT next.organization_id AS "organizationId", next.kind, next.id, next.is_resting AS "isResting",
      coalesce(claimed.attempts, 0) AS attempts, coalesce(claimed.unanswered - 1, 0) AS unfinished
    FROM next LEFT JOIN claimed ON true`,
});

// Excludes the work from every index in use until a trigger wakes it, when the organization is restored. It waits for the
// lock, so that work just woken is not paused again.
const restOrganization = unscopedStatement({
  name: 'due-work-rest',
  text: `
    WITH ended AS MATERIALIZED (
      SELECT organization_id FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL FOR SHARE
    ), ready AS MATERIALIZED (
      SELECT w.organization_id, w.kind, w.id FROM ended JOIN due_work w USING (organization_id)
      WHERE w.kind = ANY($2) AND w.is_ready LIMIT 10000 FOR UPDATE OF w SKIP LOCKED)
    UPDATE due_work w SET is_ready = false, next_attempt_at = 'infinity'
    FROM ready WHERE (w.organization_id, w.kind, w.id) = (ready.organization_id, ready.kind, ready.id)`,
});

const promoteDue = unscopedStatement({
  name: 'due-work-promote',
  text: `
    WITH due AS MATERIALIZED (
      SELECT organization_id, kind, id FROM due_work w
      WHERE kind = ANY($1) AND next_attempt_at <= clock_timestamp()::timestamptz(3) AND NOT is_ready
        AND unanswered < ${unansweredMax}
      LIMIT 10000 FOR UPDATE OF w SKIP LOCKED)
    UPDATE due_work w SET is_ready = true
    FROM due WHERE (w.organization_id, w.kind, w.id) = (due.organization_id, due.kind, due.id)
    RETURNING w.kind`,
});

const countBacklog = unscopedStatement({
  name: 'due-work-backlog',
  text: `
    SELECT of.kind AS work, count(*) FILTER (WHERE NOT aside)::int AS due, count(*) FILTER (WHERE aside)::int AS "setAside",
      coalesce(extract(epoch FROM now() - min(next_attempt_at) FILTER (WHERE NOT aside)), 0)::float8 AS "oldestSeconds"
    FROM unnest($1::text[]) AS of (kind) LEFT JOIN LATERAL (
      SELECT next_attempt_at, unanswered >= ${unansweredMax} AS aside FROM due_work w
      WHERE w.kind = of.kind AND w.next_attempt_at <= now() AND NOT ${hasEnded('w')}
      ORDER BY w.next_attempt_at LIMIT 10000) AS due ON true
    GROUP BY of.kind`,
});

/**
 * Finds due work across organizations, in turn: after the one that was served last comes the next, in the order of their ids,
 * that has due work and may run more. Due work of a deleted organization is paused when its turn comes.
 */
export class DueWorkQueue {
  readonly #database: Pick<TenantDatabase, 'unscoped'>;
  readonly #kinds: readonly string[];
  /** The organization that was served last. Instances start at different places. */
  #last = randomUUID() as string;
  #promotedAt = -Infinity;

  constructor(database: Pick<TenantDatabase, 'unscoped'>, kinds: readonly string[]) {
    this.#database = database;
    this.#kinds = kinds;
  }

  /** Claims the next job, if there is one. */
  async claim(claim: DueClaim): Promise<DueItem | undefined> {
    const isTime = performance.now() - this.#promotedAt >= promotionMs;
    if (isTime) await this.#promote();
    const next = await this.#next(claim);
    if (next || isTime) return next;
    return (await this.#promote()) ? this.#next(claim) : undefined;
  }

  backlog(): Promise<readonly Backlog[]> {
    return this.#database.unscoped.query(countBacklog, [this.#kinds]);
  }

  async #next({ inHand, leaseSeconds, perOrganizationMax }: DueClaim): Promise<DueItem | undefined> {
    const counts = new Map<string, number>();
    for (const { organizationId } of inHand)
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count >= perOrganizationMax).map(([id]) => id);
    const { lows, highs } = arcsOf(this.#last, full);
    // One suspect at a time, so that other running work is not suspected for long if the process dies.
    const hasSuspect = inHand.some(({ unfinished }) => unfinished > 0);
    const values = [this.#kinds, lows, highs, leaseSeconds, hasSuspect ? 1 : unansweredMax] as const;
    for (;;) {
      const [found] = await this.#database.unscoped.query(claimDue, [...values]);
      if (!found) return undefined;
      const { isResting, ...item } = found;
      if (!isResting) {
        this.#last = item.organizationId;
        return item;
      }
      await this.#database.unscoped.query(restOrganization, [item.organizationId, this.#kinds]);
    }
  }

  async #promote(): Promise<boolean> {
    this.#promotedAt = performance.now();
    return (await this.#database.unscoped.query(promoteDue, [this.#kinds])).length > 0;
  }
}
