import { defineWords } from '../design/language.ts';

/** The words for service accounts and keys. */
export const serviceAccountWords = defineWords({
  en: () => import('./service-accounts.words.en.ts'),
  sv: () => import('./service-accounts.words.sv.ts'),
});
