import { defineWords } from '../design/language.ts';

/** The words for the session's dialogs, which nobody needs before they have signed in. */
export const dialogWords = defineWords({
  en: () => import('./dialogs.words.en.ts'),
  sv: () => import('./dialogs.words.sv.ts'),
});
