import { defineWords } from '../design/language.ts';

/** The words of the session's dialogs, which are needed only after signing in. */
export const dialogWords = defineWords({
  en: () => import('./dialogs.words.en.ts'),
  sv: () => import('./dialogs.words.sv.ts'),
});
