import { defineWords } from '../design/language.ts';

/** The words for imports. */
export const importWords = defineWords({
  en: () => import('./import.words.en.ts'),
  sv: () => import('./import.words.sv.ts'),
});
