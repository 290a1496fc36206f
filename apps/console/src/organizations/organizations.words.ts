import { defineWords } from '../design/language.ts';

/** The words for organizations. */
export const organizationWords = defineWords({
  en: () => import('./organizations.words.en.ts'),
  sv: () => import('./organizations.words.sv.ts'),
});
