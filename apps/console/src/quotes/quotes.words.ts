import { defineWords } from '../design/language.ts';

/** The words about quotes. */
export const quoteWords = defineWords({
  en: () => import('./quotes.words.en.ts'),
  sv: () => import('./quotes.words.sv.ts'),
});
