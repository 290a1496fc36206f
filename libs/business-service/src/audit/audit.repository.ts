import {
  everySubset,
  idsWithin,
  momentOf,
  statement,
  type Statement,
  type TenantRows,
  type TenantTransaction,
} from '@tenantry/tenancy';
import type { AuditEntry, AuditEvent, AuditPage, AuditQuery } from './audit-entry.ts';

/** Where entries are kept. */
export interface AuditRepository {
  insert(tx: TenantTransaction<unknown>, entry: AuditEntry<string>): void;
  page(rows: TenantRows<unknown>, query: AuditQuery): Promise<AuditPage>;
}

type EventRow = Omit<AuditEvent, 'createdAt'>;
type PageRow = (EventRow | { readonly id: null }) & { readonly total: number };
type PageValues = [limit: number, offset: number, fromId: string, toId: string, ...filters: string[]];

type InsertValues = [
  actorUserId: string | null,
  action: string,
  targetType: string | null,
  targetId: string | null,
  details: object,
];

const columnOf = { action: 'action', actorUserId: 'actor_user_id', targetId: 'target_id' } as const;
type Filter = keyof typeof columnOf;
const filters = Object.keys(columnOf) as Filter[];

/** Entries in PostgreSQL. The statements are defined here, so that a service without a trail has none of them. */
export function createAuditRepository(): AuditRepository {
  const insert = statement<never, InsertValues>({
    name: 'audit-insert',
    text: `
      INSERT INTO audit_events (organization_id, actor_user_id, action, target_type, target_id, details)
      VALUES ($1, $2, $3, $4, $5, $6)`,
  });
  const pages = new Map(everySubset(filters).map((some) => [some.join(), pageBy(some)]));

  return {
    insert(tx, { actorUserId, action, target, details = {} }) {
      tx.send(insert, [actorUserId, action, target?.type ?? null, target?.id ?? null, details]);
    },

    async page(rows, query) {
      const { page, pageSize } = query;
      const named = filters.filter((name) => query[name] !== undefined);
      const found = await rows.query(pages.get(named.join()) as Statement<PageRow, PageValues>, [
        pageSize,
        (page - 1) * pageSize,
        ...idsWithin(query),
        ...named.map((name) => query[name] ?? ''),
      ]);
      return { events: found.filter((row) => row.id !== null).map(toEvent), total: found[0]?.total ?? 0 };
    },
  };
}

/** The total comes with an empty page as well: a row of it alone. */
function pageBy(some: readonly Filter[]): Statement<PageRow, PageValues> {
  const conditions = some.map((name, i) => `AND ${columnOf[name]} = $${i + 6}`);
  const matches = `FROM audit_events WHERE organization_id = $1 AND id >= $4 AND id < $5 ${conditions.join(' ')}`;
  return statement({
    name: ['audit-page', ...some].join('-'),
    text: `
      SELECT counted.total, page.*
      FROM (SELECT count(*)::int AS total ${matches}) AS counted
      LEFT JOIN LATERAL (
        SELECT id, action, actor_user_id AS "actorUserId", target_type AS "targetType", target_id AS "targetId",
          details
        ${matches} ORDER BY id DESC LIMIT $2 OFFSET $3
      ) AS page ON true
      ORDER BY page.id DESC`,
  });
}

const toEvent = (row: EventRow): AuditEvent => ({ ...row, createdAt: momentOf(row.id) });
