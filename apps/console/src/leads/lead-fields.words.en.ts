import type { LeadStatus } from './lead-filters.ts';
import type { ComparedField } from './lead-versions.ts';

/** What the fields of a lead are called: as labels here, and in sentences in small letters. One without a name does not compile. */
export const words: Readonly<Record<ComparedField, string>> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  source: 'Source',
  notes: 'Notes',
  status: 'Status',
};

/** What the states of a lead are called. */
export const statuses: Readonly<Record<LeadStatus, string>> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  won: 'Won',
  lost: 'Lost',
};
