import { defineWords } from '../../design/language.ts';

/** The words for signing in beyond the password. */
export const waysWords = defineWords({
  en: () => import('./ways.words.en.ts'),
  sv: () => import('./ways.words.sv.ts'),
});
