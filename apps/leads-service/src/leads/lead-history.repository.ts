import type { AccountActor, RecordedActor } from '@tenantry/service/resources';
import { pageOf, type Page, type PageRequest } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import type { LeadStatus } from './lead-status.ts';

/**
 * A move of a lead from status to status. The actor's name is the latest known one, null after long inactivity; the id is null
 * for moves older than the history.
 */
export interface LeadMove extends RecordedActor {
  /** Null where the lead was created. */
  readonly from: LeadStatus | null;
  readonly to: LeadStatus;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** A move that has just been made. */
export interface NewLeadMove {
  readonly leadId: string;
  readonly from: LeadStatus | null;
  readonly to: LeadStatus;
  readonly actor: AccountActor;
}

const insertMove = statement({
  name: 'lead-move-insert',
  text: `
    INSERT INTO lead_status_changes (organization_id, lead_id, from_status, to_status, actor_kind, actor_user_id)
    VALUES ($1, $2, $3, $4, $5, $6)`,
});

const moves = 'FROM lead_status_changes WHERE organization_id = $1 AND lead_id = $2';
// The audit trail has the name of a user, until its entry is deleted or the user is erased.
const movePage = statement({
  name: 'lead-move-page',
  text: `
    SELECT counted.total, page.*, latest."latestKind", latest."actorName"
    FROM (SELECT count(*)::int AS total ${moves}) AS counted
    LEFT JOIN LATERAL (
      SELECT id, from_status AS "from", to_status AS "to", actor_kind AS "actorKind", actor_user_id AS "actorUserId",
        changed_at AS "at"
      ${moves} ORDER BY id DESC LIMIT $3 OFFSET $4
    ) AS page ON true
    LEFT JOIN LATERAL (
      SELECT actor_kind AS "latestKind", actor_name AS "actorName" FROM audit_events
      WHERE organization_id = $1 AND actor_user_id = page."actorUserId" ORDER BY id DESC LIMIT 1
    ) AS latest ON true
    ORDER BY page.id DESC`,
});

/** The moves of an organization's leads. */
export class LeadHistoryRepository {
  async record(tx: Transaction, { leadId, from, to, actor }: NewLeadMove): Promise<void> {
    await tx.query(insertMove, [leadId, from, to, actor.kind, actor.userId]);
  }

  async page(rows: Rows, leadId: string, { page, pageSize }: PageRequest): Promise<Page<LeadMove>> {
    const { items, total } = pageOf(await rows.query(movePage, [leadId, pageSize, (page - 1) * pageSize]));
    // Moves of earlier versions name no kind.
    const named = items.map(({ latestKind, ...move }) => ({
      ...move,
      actorKind: move.actorKind ?? latestKind,
    }));
    return { items: named, total };
  }
}
