import { defineWords } from '../design/language.ts';

/** The words for failures. */
export const failureWords = defineWords({
  en: () => import('./failures.words.en.ts'),
  sv: () => import('./failures.words.sv.ts'),
});
