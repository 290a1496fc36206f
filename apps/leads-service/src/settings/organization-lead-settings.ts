import type { FurtherMove } from '../leads/lead-status.ts';

/** What an organization decides about its leads. */
export interface LeadSettingsFields {
  /** Moves that it allows beside those of every organization, in the order in which those are listed. */
  readonly furtherMoves: readonly FurtherMove[];
  /** Whether an accepted quote moves its lead to won, if that is an allowed move. */
  readonly acceptedQuoteMovesLead: boolean;
}

/** These, and how often they were changed. */
export interface OrganizationLeadSettings extends LeadSettingsFields {
  readonly version: number;
}

/** The fields whose changes are recorded. */
export const auditedSettings = [
  'furtherMoves',
  'acceptedQuoteMovesLead',
] as const satisfies readonly (keyof LeadSettingsFields)[];

/** Those whose values are kept. */
export const keptSettings = { acceptedQuoteMovesLead: 'switch' } as const;

/** Of an organization that has changed nothing. */
export const defaultLeadSettings: OrganizationLeadSettings = {
  furtherMoves: [],
  acceptedQuoteMovesLead: true,
  version: 1,
};
