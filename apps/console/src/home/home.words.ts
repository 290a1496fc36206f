import { defineWords } from '../design/language.ts';

/** The words of the first page. */
export const homeWords = defineWords({
  en: () => import('./home.words.en.ts'),
  sv: () => import('./home.words.sv.ts'),
});
