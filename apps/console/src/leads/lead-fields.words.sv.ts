import type { ComparedField } from './lead-versions.ts';

export const words: Readonly<Record<ComparedField, string>> = {
  name: 'Namn',
  email: 'E-post',
  phone: 'Telefon',
  source: 'Källa',
  notes: 'Anteckningar',
  status: 'Status',
};
