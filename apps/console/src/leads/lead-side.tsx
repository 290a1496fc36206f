import { LeadPanel } from './lead-panel.tsx';
import type { LeadFilters } from './lead-filters.ts';
import type { LeadMoves } from './moves.queries.ts';
import { NewLead } from './new-lead.tsx';
import type { GoToLeads, LeadView } from './use-lead-address.ts';

/** Which lead is beside the list. */
export interface LeadSideProps {
  readonly view: LeadView;
  /** Of a lead, or `new`. */
  readonly id: string;
  readonly filters: LeadFilters;
  readonly go: GoToLeads;
  readonly moves: LeadMoves;
}

/** A lead beside the list, or a new one. */
export function LeadSide(props: LeadSideProps) {
  return props.id === 'new' ? <NewLead view={props.view} /> : <LeadPanel {...props} />;
}
