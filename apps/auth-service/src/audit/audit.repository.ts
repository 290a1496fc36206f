import { statement } from '@tenantry/tenancy';
import type { Rows, Transaction, Unscoped } from '../database.ts';
import { defineSweepBy, type PageQuery } from '../ground/index.ts';

/** A row about to be added. */
export interface NewAuditEvent {
  readonly organizationId: string;
  readonly actorUserId: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly ipAddress: string | null;
  readonly device: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A row as it is read. */
export interface AuditedEvent extends Omit<NewAuditEvent, 'organizationId'> {
  readonly id: string;
  /** The actor's current name; null once they are no longer a member. */
  readonly actorName: string | null;
  readonly createdAt: Date;
}

/** A page of the trail, newest first, and how much there is in all. */
export interface AuditPage {
  readonly events: AuditedEvent[];
  readonly total: number;
}

/** Where the trail is kept. */
export interface AuditRepository {
  /** Writes one row, in the scope of an organization or of one of its members. */
  insert(tx: Transaction, event: NewAuditEvent): Promise<void>;
  /** Forgets where the user of the scope was, and by which devices. */
  forgetWhereabouts(tx: Transaction): Promise<void>;
  /** Reads a page of the trail of the scope's organization. */
  page(rows: Rows, query: PageQuery): Promise<AuditPage>;
  /** Deletes a batch of what is older than so many days, of all organizations. */
  sweep(rows: Unscoped, retentionDays: number): Promise<boolean>;
}

type Columns = readonly [
  actorUserId: string | null,
  action: string,
  targetType: string | null,
  targetId: string | null,
  ipAddress: string | null,
  device: string | null,
  details: Readonly<Record<string, unknown>>,
];

const insertInOrganization = statement<never, Columns>({
  name: 'audit-insert',
  text: `
    INSERT INTO audit_events
      (organization_id, actor_user_id, action, target_type, target_id, ip_address, device, details)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

// The scope of a user reaches into an organization only by way of the membership.
const insertByMember = statement<never, [...Columns, organizationId: string]>({
  name: 'audit-insert-by-member',
  owner: 'user',
  text: `
    INSERT INTO audit_events
      (organization_id, actor_user_id, action, target_type, target_id, ip_address, device, details)
    SELECT organization_id, $2::uuid, $3, $4, $5, $6::inet, $7, $8
    FROM members WHERE user_id = $1 AND user_id = $2::uuid AND organization_id = $9`,
});

// The service may not update the trail; the function erases these two columns, and of the scope's user alone.
const forgetWhereabouts = statement({
  name: 'audit-forget-whereabouts',
  owner: 'user',
  text: 'SELECT app.forget_actor(u.user_id) FROM users AS u (user_id) WHERE u.user_id = $1',
});

// The total comes with an empty page as well: a row of it alone. Ids are in the order of time.
const auditPage = statement<
  (AuditedEvent | { id: null }) & { total: number },
  [limit: number, offset: number]
>({
  name: 'audit-page',
  text: `
    SELECT page.*, counted.total
    FROM (SELECT count(*)::int AS total FROM audit_events WHERE organization_id = $1) AS counted
    LEFT JOIN LATERAL (
      SELECT a.id, a.actor_user_id AS "actorUserId", u.name AS "actorName", a.action, a.target_type AS "targetType",
        a.target_id AS "targetId", host(a.ip_address) AS "ipAddress", a.device, a.details, a.created_at AS "createdAt"
      FROM audit_events a
      LEFT JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.actor_user_id
      LEFT JOIN users u ON u.id = m.user_id
      WHERE a.organization_id = $1
      ORDER BY a.id DESC LIMIT $2 OFFSET $3) AS page ON true
    ORDER BY page.id DESC`,
});

const sweepAudit = defineSweepBy('app.sweep_audit_events($1)');

/** The trail in PostgreSQL. */
export function createAuditRepository(): AuditRepository {
  return {
    sweep: (rows, retentionDays) => sweepAudit(rows, retentionDays),

    async insert(tx, event) {
      const { organizationId, actorUserId, action, targetType, targetId, ipAddress, device, details } = event;
      const columns: Columns = [actorUserId, action, targetType, targetId, ipAddress, device, details];
      if (tx.scope.organizationId === organizationId) await tx.query(insertInOrganization, columns);
      else await tx.query(insertByMember, [...columns, organizationId]);
    },

    async forgetWhereabouts(tx) {
      await tx.query(forgetWhereabouts, []);
    },

    async page(rows, { page, pageSize }) {
      const found = await rows.query(auditPage, [pageSize, (page - 1) * pageSize]);
      return { events: found.filter((row) => row.id !== null), total: found[0]?.total ?? 0 };
    },
  };
}
