import { defineWords } from './language.ts';

/** The words for leaving before all is saved. */
export const unsavedWords = defineWords({
  en: () => import('./unsaved.words.en.ts'),
  sv: () => import('./unsaved.words.sv.ts'),
});
