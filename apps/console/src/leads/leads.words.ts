import { defineWords } from '../design/language.ts';

/** The words for leads. */
export const leadWords = defineWords({
  en: () => import('./leads.words.en.ts'),
  sv: () => import('./leads.words.sv.ts'),
});
