import { defineWords } from '../design/language.ts';

/** The words of the page of all components. */
export const componentWords = defineWords({
  en: () => import('./components.words.en.ts'),
  sv: () => import('./components.words.sv.ts'),
});
