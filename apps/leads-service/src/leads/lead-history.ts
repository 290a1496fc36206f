import type { RecordedActor } from '@tenantry/service-kit/resources';
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
