import type { RecordedActor } from '@tenantry/service/resources';
import { FilteredPages, type FilteredQuery, type Page } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import { defineSweepBy } from '../ground/index.ts';
import type { Statements } from '../statements.types.ts';
import type { OrganizationAction, OwnAction } from './audit-actions.ts';

/** Selects a page of a trail's entries. */
export type AuditQuery = FilteredQuery<Filter>;

/** A row about to be added. */
export interface NewAuditEvent {
  readonly action: OwnAction | OrganizationAction;
  readonly targetType: string | null;
  readonly targetId: string | null;
  /** The name at the time, of a target that says it; of a user who was affected, until they are erased. */
  readonly targetName: string | null;
  readonly ipAddress: string | null;
  readonly device: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A row as it is read. */
export interface AuditedEvent extends NewAuditEvent, RecordedActor {
  readonly id: string;
  /** That of a new event; of an invitation its address, while it is open. */
  readonly targetName: string | null;
  /** ISO 8601 text. */
  readonly createdAt: string;
}

/** A page of the trail, newest first. */
export type AuditPage = Page<AuditedEvent>;

const insertInOrganization = statement({
  name: 'audit-insert',
  text: `
    INSERT INTO audit_events
      (organization_id, action, target_type, target_id, ip_address, device, details, actor_kind, actor_user_id,
        actor_name, target_name)
    SELECT $1, $2, $3, $4, $5::inet, $6, $7::jsonb, $8, $9::uuid, coalesce(actor.name, $10), coalesce(target.name, $12)
    FROM (VALUES (true)) AS once LEFT JOIN users actor ON actor.id = $9 LEFT JOIN users target ON target.id = $11`,
});

const insertOwn = statement({
  name: 'audit-insert-own',
  owner: 'user',
  text: `
    WITH own AS (
      INSERT INTO user_audit_events
        (user_id, action, target_type, target_id, ip_address, device, details, actor_kind, actor_user_id)
      VALUES ($1, $2, $3, $4, $5::inet, $6, $7::jsonb, 'user', $1))
    INSERT INTO audit_events
      (organization_id, actor_kind, actor_user_id, actor_name, action, target_type, target_id, ip_address, device, details)
    SELECT m.organization_id, 'user', m.user_id, u.name, $2, $3, $4, $5::inet, $6, $7::jsonb
    FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.user_id = $1 AND ($8::uuid IS NULL OR m.organization_id = $8)`,
});

const insertDoneTo = statement({
  name: 'audit-insert-done-to',
  owner: 'user',
  text: `
    INSERT INTO user_audit_events
      (user_id, action, target_type, target_id, ip_address, device, details, actor_kind, actor_user_id)
    VALUES ($1, $2, $3, $4, $5::inet, $6, $7::jsonb, $8, $9)`,
});

// The service has no right to update the trail; the function erases these columns, only for the scope's user.
const forgetUser = statement({
  name: 'audit-forget-user',
  owner: 'user',
  text: 'SELECT app.forget_actor(u.user_id) FROM users AS u (user_id) WHERE u.user_id = $1',
});

const mentioning = statement({
  name: 'audit-organizations-mentioning',
  owner: 'user',
  text: `
    SELECT o.id AS "organizationId" FROM users AS u (user_id), app.organizations_mentioning(u.user_id) AS o (id)
    WHERE u.user_id = $1 AND o.id IS NOT NULL`,
});

export const sweepAudit = defineSweepBy('app.sweep_audit_events($1)');
export const sweepOwnAudit = defineSweepBy('app.sweep_user_audit_events($1)');

const columnOf = { action: 'action', actorUserId: 'actor_user_id', targetId: 'target_id' } as const;
type Filter = keyof typeof columnOf;

const conditionsOf = (some: readonly Filter[]) =>
  some.map((name, n) => `AND a.${columnOf[name]} = $${n + 6}`).join(' ');
const eventColumns = `a.id, a.action, a.target_type AS "targetType", a.target_id AS "targetId",
  host(a.ip_address) AS "ipAddress", a.device, a.details, a.created_at AS "createdAt"`;

// An empty page still has a row with the total. Ids are in order of time.
const organizationPages = new FilteredPages(Object.keys(columnOf) as Filter[], (some) =>
  statement({
    name: ['audit-page', ...some].join('-'),
    like: 'audit-page',
    times: 'text',
    text: `
      SELECT page.*, counted.total
      FROM (
        SELECT count(*)::int AS total FROM audit_events a
        WHERE a.organization_id = $1 AND a.id >= $4 AND a.id < $5 ${conditionsOf(some)}) AS counted
      LEFT JOIN LATERAL (
        SELECT ${eventColumns}, a.actor_kind AS "actorKind", a.actor_user_id AS "actorUserId",
          coalesce(a.actor_name, u.name) AS "actorName", coalesce(a.target_name, t.name, i.email) AS "targetName"
        FROM audit_events a
        LEFT JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.actor_user_id
        LEFT JOIN users u ON u.id = m.user_id
        LEFT JOIN members n ON n.organization_id = a.organization_id AND n.user_id = CASE
          WHEN a.target_type = 'user' AND pg_input_is_valid(a.target_id, 'uuid') THEN a.target_id::uuid END
        LEFT JOIN users t ON t.id = n.user_id
        LEFT JOIN invitations i ON i.organization_id = a.organization_id AND i.expires_at > statement_timestamp()
          AND i.id = CASE
            WHEN a.target_type = 'invitation' AND pg_input_is_valid(a.target_id, 'uuid') THEN a.target_id::uuid END
        WHERE a.organization_id = $1 AND a.id >= $4 AND a.id < $5 ${conditionsOf(some)}
        ORDER BY a.id DESC LIMIT $2 OFFSET $3) AS page ON true
      ORDER BY page.id DESC`,
  }),
);

// The actor in entries of earlier versions is the user, unless their details name another one.
const ownPages = new FilteredPages(['action'], (some) =>
  statement({
    name: ['audit-own-page', ...some].join('-'),
    like: 'audit-own-page',
    times: 'text',
    owner: 'user',
    text: `
      SELECT page.*, counted.total
      FROM (
        SELECT count(*)::int AS total FROM user_audit_events a
        WHERE a.user_id = $1 AND a.id >= $4 AND a.id < $5 ${conditionsOf(some)}) AS counted
      LEFT JOIN LATERAL (
        SELECT ${eventColumns}, a.actor_kind AS "actorKind", actor.id AS "actorUserId", u.name AS "actorName",
          NULL::text AS "targetName"
        FROM user_audit_events a
        CROSS JOIN LATERAL (SELECT CASE
          WHEN a.actor_kind IS NULL AND NOT a.details ? 'by' THEN a.user_id ELSE a.actor_user_id END) AS actor (id)
        LEFT JOIN users u ON u.id = actor.id
        WHERE a.user_id = $1 AND a.id >= $4 AND a.id < $5 ${conditionsOf(some)}
        ORDER BY a.id DESC LIMIT $2 OFFSET $3) AS page ON true
      ORDER BY page.id DESC`,
  }),
);

/** A row that has an event. */
type Present = Extract<Statements['audit-page']['row'], { readonly id: string }>;

const eventOf = ({ action, details, ...event }: Present): AuditedEvent => ({
  ...event,
  action: action as AuditedEvent['action'],
  details: details as AuditedEvent['details'],
});

const columnsOf = ({ action, targetType, targetId, ipAddress, device, details }: NewAuditEvent) =>
  [action, targetType, targetId, ipAddress, device, details] as const;

/** Stores the audit trails. */
export class AuditRepository {
  /** Writes one row to the trail of the scope's organization. */
  async insert(
    tx: Transaction,
    event: NewAuditEvent,
    { actorKind, actorUserId, actorName }: RecordedActor,
  ): Promise<void> {
    const targetUserId = event.targetType === 'user' ? event.targetId : null;
    const actorColumns = [actorKind, actorUserId, actorName] as const;
    tx.send(insertInOrganization, [...columnsOf(event), ...actorColumns, targetUserId, event.targetName]);
  }

  /** Writes an action of the scope's user to their trail, with a copy in that of each of their organizations, or of one. */
  async insertOwn(tx: Transaction, event: NewAuditEvent, organizationId: string | null): Promise<void> {
    tx.send(insertOwn, [...columnsOf(event), organizationId]);
  }

  /** Writes one row to the trail of the scope's user, and to no other. */
  async insertDoneTo(
    tx: Transaction,
    event: NewAuditEvent,
    { actorKind, actorUserId }: RecordedActor,
  ): Promise<void> {
    tx.send(insertDoneTo, [...columnsOf(event), actorKind, actorUserId]);
  }

  /** Removes the name, addresses and devices of the scope's user. */
  async forgetUser(tx: Transaction): Promise<void> {
    await tx.query(forgetUser, []);
  }

  /** The organizations whose trails mention the user of the scope. */
  async mentioning(tx: Transaction): Promise<string[]> {
    const found = await tx.query(mentioning, []);
    return found.map(({ organizationId }) => organizationId);
  }

  /** Reads a page of the trail of the scope's organization. */
  async page(rows: Rows, query: AuditQuery): Promise<AuditPage> {
    const { items, total } = await organizationPages.read(rows, query);
    return { items: items.map(eventOf), total };
  }

  /** Reads a page of the trail of the scope's user. */
  async ownPage(rows: Rows, query: AuditQuery): Promise<AuditPage> {
    const { items, total } = await ownPages.read(rows, query);
    return { items: items.map(eventOf), total };
  }
}
