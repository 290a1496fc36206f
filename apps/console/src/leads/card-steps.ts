import { leadStatuses, type LeadStatus } from './lead-filters.ts';

/** A card being moved. */
export interface HeldCard {
  readonly id: string;
  readonly from: LeadStatus;
  /** Its allowed columns. */
  readonly allowed: readonly LeadStatus[];
  /** The column under it. */
  readonly over: LeadStatus;
}

/** Whether a column accepts a card: its own column, or an allowed one. */
export const takes = ({ from, allowed }: HeldCard, status: LeadStatus): boolean =>
  status === from || allowed.includes(status);

/** The next column in a direction that accepts a card; stays at the last one. */
export function nextColumn(card: HeldCard, by: -1 | 1): LeadStatus {
  const open = leadStatuses.filter((status) => takes(card, status));
  return open[open.indexOf(card.over) + by] ?? card.over;
}

/** The column of a dropped card; undefined if it stays. */
export function droppedOn(card: HeldCard): LeadStatus | undefined {
  return card.over !== card.from && takes(card, card.over) ? card.over : undefined;
}
