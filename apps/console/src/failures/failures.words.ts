import { defineWords } from '../design/language.ts';

/** The words for failures that anyone may meet. */
export const failureWords = defineWords({
  en: () => import('./failures.words.en.ts'),
  sv: () => import('./failures.words.sv.ts'),
});

/** The words for failures that people meet once they are signed in. */
export const laterFailureWords = defineWords({
  en: () => import('./later-failures.words.en.ts'),
  sv: () => import('./later-failures.words.sv.ts'),
});
