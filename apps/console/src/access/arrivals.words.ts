import { defineWords } from '../design/language.ts';

/** The words for what arrived from an identity provider. */
export const arrivalWords = defineWords({
  en: () => import('./arrivals.words.en.ts'),
  sv: () => import('./arrivals.words.sv.ts'),
});
