import { defineWords } from '../design/language.ts';

/** The words for two-factor authentication. */
export const twoFactorWords = defineWords({
  en: () => import('./two-factor.words.en.ts'),
  sv: () => import('./two-factor.words.sv.ts'),
});
