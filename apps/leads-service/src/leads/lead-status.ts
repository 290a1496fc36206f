import { Transitions } from '@tenantry/service/resources';

/** The states of a lead and their allowed moves. */
export const leadStatus = new Transitions(
  { noun: 'lead' },
  {
    new: ['contacted'],
    contacted: ['qualified', 'lost'],
    qualified: ['won'],
    lost: [],
    won: [],
  },
);

/** The status of a lead. */
export type LeadStatus = (typeof leadStatus.states)[number];

/** A number for each status. */
export type ByStatus = Readonly<Record<LeadStatus, number>>;
