import { defineWords } from '../design/language.ts';

/** The words for the archives of an organization. */
export const exportWords = defineWords({
  en: () => import('./export.words.en.ts'),
  sv: () => import('./export.words.sv.ts'),
});
