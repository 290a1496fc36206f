import type { AccountActor, RecordedActor } from '@tenantry/service/resources';
import { pageOf, theOne, type Page, type PageRequest } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import type { LeadStatus } from './lead-status.ts';

/** An accepted quote, as a move that it made names it. */
export interface MovingQuote {
  readonly id: string;
  readonly number: string;
}

/**
 * A move of a lead from status to status. The actor's name is the latest known one, null after long inactivity; the id is null
 * for moves older than the history.
 */
export interface LeadMove extends RecordedActor {
  /** The accepted quote that made it. */
  readonly quote: MovingQuote | null;
  /** Null where the lead was created. */
  readonly from: LeadStatus | null;
  readonly to: LeadStatus;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** A move that has just been made, by somebody or by an accepted quote. */
export type NewLeadMove = MoveMade & ({ readonly actor: AccountActor } | { readonly quote: MovingQuote });

interface MoveMade {
  readonly leadId: string;
  readonly from: LeadStatus | null;
  readonly to: LeadStatus;
}

const insertMove = statement({
  name: 'lead-move-insert',
  text: `
    INSERT INTO lead_status_changes (organization_id, lead_id, from_status, to_status, actor_kind, actor_user_id,
      quote_id, quote_number)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

// The quote itself is looked for, in case the clocks of the two services differ. Both times are rounded to milliseconds, one up.
const movedSince = statement({
  name: 'lead-moved-since',
  text: `
    SELECT EXISTS (
        SELECT FROM lead_status_changes
        WHERE organization_id = $1 AND lead_id = $2 AND (quote_id = $3 OR changed_at > $4::timestamptz + INTERVAL '2 ms')) AS "hasMoved",
      EXISTS (
        SELECT FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL) AS "hasEnded"`,
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
        quote_id AS "quoteId", quote_number AS "quoteNumber", changed_at AS "at"
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
  async record(tx: Transaction, { leadId, from, to, ...by }: NewLeadMove): Promise<void> {
    const actor = 'actor' in by ? ([by.actor.kind, by.actor.userId] as const) : ([null, null] as const);
    const quote = 'quote' in by ? ([by.quote.id, by.quote.number] as const) : ([null, null] as const);
    await tx.query(insertMove, [leadId, from, to, ...actor, ...quote]);
  }

  /** Whether a lead has moved since a quote was accepted, or by this quote, and whether its organization has ended. */
  async since(
    tx: Transaction,
    leadId: string,
    { quoteId, at }: { readonly quoteId: string; readonly at: Date },
  ) {
    return theOne(await tx.query(movedSince, [leadId, quoteId, at.toISOString()]));
  }

  async page(rows: Rows, leadId: string, { page, pageSize }: PageRequest): Promise<Page<LeadMove>> {
    const { items, total } = pageOf(await rows.query(movePage, [leadId, pageSize, (page - 1) * pageSize]));
    // Moves of earlier versions name no kind.
    const named = items.map(({ latestKind, quoteId, quoteNumber, ...move }) => ({
      ...move,
      actorKind: move.actorKind ?? latestKind,
      quote: quoteId === null || quoteNumber === null ? null : { id: quoteId, number: quoteNumber },
    }));
    return { items: named, total };
  }
}
