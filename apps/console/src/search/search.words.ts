import { defineWords } from '../design/language.ts';

/** The words about searching and keys. */
export const searchWords = defineWords({
  en: () => import('./search.words.en.ts'),
  sv: () => import('./search.words.sv.ts'),
});
