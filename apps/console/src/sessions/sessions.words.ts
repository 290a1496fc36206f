import { defineWords } from '../design/language.ts';

/** The words for sessions. */
export const sessionWords = defineWords({
  en: () => import('./sessions.words.en.ts'),
  sv: () => import('./sessions.words.sv.ts'),
});
