import { Transitions } from '@tenantry/service/resources';

/** The states of a quote and their allowed moves. */
export const quoteStatus = new Transitions(
  { noun: 'quote' },
  {
    draft: ['sent'],
    sent: ['accepted', 'rejected'],
    accepted: [],
    rejected: [],
  },
);

/** The status of a quote. */
export type QuoteStatus = (typeof quoteStatus.states)[number];

/** Whether a quote in this state has a decision. */
export const isDecided = (status: QuoteStatus): boolean => status === 'accepted' || status === 'rejected';
