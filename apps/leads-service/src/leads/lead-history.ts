import type { LeadStatus } from './lead-status.ts';

/** A move of a lead from status to status. */
export interface LeadMove {
  /** Null where the lead was created. */
  readonly from: LeadStatus | null;
  readonly to: LeadStatus;
  /** Null for leads that are older than the history. */
  readonly actorUserId: string | null;
  readonly actorKind: string | null;
  /** As they were last called; null of an account that was erased, or has long done nothing. */
  readonly actorName: string | null;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Which page of a lead's moves. */
export interface LeadHistoryQuery {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** One page, newest first, and how many moves there are in all. */
export interface LeadHistoryPage {
  readonly items: readonly LeadMove[];
  readonly total: number;
}
