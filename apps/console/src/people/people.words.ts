import { defineWords } from '../design/language.ts';

/** The words for people. */
export const peopleWords = defineWords({
  en: () => import('./people.words.en.ts'),
  sv: () => import('./people.words.sv.ts'),
});
