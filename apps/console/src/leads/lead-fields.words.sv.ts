import type { LeadStatus } from './lead-filters.ts';
import type { ComparedField } from './lead-versions.ts';

export const words: Readonly<Record<ComparedField, string>> = {
  name: 'Namn',
  email: 'E-post',
  phone: 'Telefon',
  source: 'Källa',
  notes: 'Anteckningar',
  status: 'Status',
};

export const statuses: Readonly<Record<LeadStatus, string>> = {
  new: 'Nytt',
  contacted: 'Kontaktat',
  qualified: 'Kvalificerat',
  won: 'Vunnet',
  lost: 'Förlorat',
};
