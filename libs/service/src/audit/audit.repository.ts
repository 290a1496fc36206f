import {
  FilteredPages,
  momentOf,
  type Page,
  type TenantRows,
  type TenantTransaction,
} from '@tenantry/tenancy';
import { userIdOf } from '../resources/actors.ts';
import { statement } from '../statements.ts';
import type { Statements } from '../statements.types.ts';
import type { AuditEntry, AuditEvent, AuditQuery } from './audit-entry.ts';

type EventRow = Extract<Statements['audit-page']['row'], { readonly id: string }>;

const columnOf = { action: 'action', actorUserId: 'actor_user_id', targetId: 'target_id' } as const;
type Filter = keyof typeof columnOf;

const insertEvent = statement({
  name: 'audit-insert',
  text: `
    INSERT INTO audit_events
      (organization_id, actor_kind, actor_user_id, actor_name, action, target_type, target_id, target_name, details)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
});

const forgetTargetName = statement({
  name: 'audit-forget-target',
  text: `
    UPDATE audit_events SET target_name = NULL
    WHERE organization_id = $1 AND target_id = $2 AND target_name IS NOT NULL`,
});

const pages = new FilteredPages(Object.keys(columnOf) as Filter[], pageBy);

/** Stores entries. */
export class AuditRepository {
  insert(tx: TenantTransaction, { actor, action, target, details = {} }: AuditEntry<string>): void {
    const { type = null, id = null, name = null } = target ?? {};
    tx.send(insertEvent, [actor.kind, userIdOf(actor), actor.name, action, type, id, name, details]);
  }

  /** Removes the name of a row. */
  forgetTarget(tx: TenantTransaction, targetId: string): void {
    tx.send(forgetTargetName, [targetId]);
  }

  async page(rows: TenantRows, query: AuditQuery): Promise<Page<AuditEvent>> {
    const { items, total } = await pages.read(rows, query);
    return { items: items.map(toEvent), total };
  }
}

/** An empty page still has a row with the total. */
function pageBy(some: readonly Filter[]) {
  const conditions = some.map((name, i) => `AND ${columnOf[name]} = $${i + 6}`);
  const matches = `FROM audit_events WHERE organization_id = $1 AND id >= $4 AND id < $5 ${conditions.join(' ')}`;
  return statement({
    name: ['audit-page', ...some].join('-'),
    like: 'audit-page',
    text: `
      SELECT counted.total, page.*
      FROM (SELECT count(*)::int AS total ${matches}) AS counted
      LEFT JOIN LATERAL (
        SELECT id, action, actor_kind AS "actorKind", actor_user_id AS "actorUserId", actor_name AS "actorName",
          target_type AS "targetType", target_id AS "targetId", target_name AS "targetName", details
        ${matches} ORDER BY id DESC LIMIT $2 OFFSET $3
      ) AS page ON true
      ORDER BY page.id DESC`,
  });
}

const toEvent = ({ details, ...row }: EventRow): AuditEvent => ({
  ...row,
  details: details as AuditEvent['details'],
  createdAt: momentOf(row.id),
});
