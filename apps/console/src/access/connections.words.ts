import { defineWords } from '../design/language.ts';

/** The words for single sign-on. */
export const connectionWords = defineWords({
  en: () => import('./connections.words.en.ts'),
  sv: () => import('./connections.words.sv.ts'),
});
