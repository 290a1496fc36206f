import { defineWords } from '../design/language.ts';

/** The words for directories. */
export const directoryWords = defineWords({
  en: () => import('./directory.words.en.ts'),
  sv: () => import('./directory.words.sv.ts'),
});
