import { defineWords } from '../design/language.ts';

/** The words around every page. */
export const shellWords = defineWords({
  en: () => import('./shell.words.en.ts'),
  sv: () => import('./shell.words.sv.ts'),
});
