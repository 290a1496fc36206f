import { defineWords } from '../design/language.ts';

/** The words for mailed links. */
export const recoveryWords = defineWords({
  en: () => import('./recovery.words.en.ts'),
  sv: () => import('./recovery.words.sv.ts'),
});
