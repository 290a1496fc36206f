import { defineWords } from '../../design/language.ts';

/** The words for signing in by a letter. */
export const mailedWords = defineWords({
  en: () => import('./mailed.words.en.ts'),
  sv: () => import('./mailed.words.sv.ts'),
});
