import { defineWords } from '../design/language.ts';

/** The words for accounts. */
export const accountWords = defineWords({
  en: () => import('./accounts.words.en.ts'),
  sv: () => import('./accounts.words.sv.ts'),
});
