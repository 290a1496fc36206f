import { defineWords } from '../design/language.ts';

/** The words for the ways to sign in. */
export const waysInWords = defineWords({
  en: () => import('./ways-in.words.en.ts'),
  sv: () => import('./ways-in.words.sv.ts'),
});
