import { defineWords } from '../design/language.ts';

/** The words for the settings of an organization. */
export const settingsWords = defineWords({
  en: () => import('./settings.words.en.ts'),
  sv: () => import('./settings.words.sv.ts'),
});
