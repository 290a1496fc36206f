/** The states of a lead and where each may move; the one place that says so. */
export const leadTransitions = {
  new: ['contacted'],
  contacted: ['qualified', 'lost'],
  qualified: ['won'],
  lost: [],
  won: [],
} as const satisfies Record<string, readonly string[]>;

/** Where a lead stands. */
export type LeadStatus = keyof typeof leadTransitions;

/** Every status, in the order of a lead's life. */
export const leadStatuses = Object.keys(leadTransitions) as readonly LeadStatus[];

/** The statuses that a lead may move to. */
export function allowedTransitions(from: LeadStatus): readonly LeadStatus[] {
  return leadTransitions[from];
}

/** Whether a lead may move; staying where it is is no move and always allowed. */
export function mayMove(from: LeadStatus, to: LeadStatus): boolean {
  return from === to || allowedTransitions(from).includes(to);
}
