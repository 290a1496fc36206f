import { defineWords } from '../design/language.ts';

/** The words for domains. */
export const domainWords = defineWords({
  en: () => import('./domains.words.en.ts'),
  sv: () => import('./domains.words.sv.ts'),
});
