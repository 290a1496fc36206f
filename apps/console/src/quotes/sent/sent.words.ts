import { defineWords } from '../../design/language.ts';

/** The words about quotes that were sent. */
export const sentWords = defineWords({
  en: () => import('./sent.words.en.ts'),
  sv: () => import('./sent.words.sv.ts'),
});
