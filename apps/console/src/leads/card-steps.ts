import { leadStatuses, type LeadStatus } from './lead-filters.ts';

/** A card that is held. */
export interface HeldCard {
  readonly id: string;
  readonly from: LeadStatus;
  /** Where it may go. */
  readonly allowed: readonly LeadStatus[];
  /** Where it is held over. */
  readonly over: LeadStatus;
}

/** Whether a column takes a card: where it came from, and wherever it may go. */
export const takes = ({ from, allowed }: HeldCard, status: LeadStatus): boolean =>
  status === from || allowed.includes(status);

/** The next column in a direction that takes a card; the last one stays. */
export function nextColumn(card: HeldCard, by: -1 | 1): LeadStatus {
  const open = leadStatuses.filter((status) => takes(card, status));
  return open[open.indexOf(card.over) + by] ?? card.over;
}

/** Where a card goes when it is let go; undefined where it stays. */
export function droppedOn(card: HeldCard): LeadStatus | undefined {
  return card.over !== card.from && takes(card, card.over) ? card.over : undefined;
}
