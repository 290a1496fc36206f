import { defineWords } from '../design/language.ts';

/** The words about customers. */
export const customerWords = defineWords({
  en: () => import('./customers.words.en.ts'),
  sv: () => import('./customers.words.sv.ts'),
});
