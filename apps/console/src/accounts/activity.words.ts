import { defineWords } from '../design/language.ts';

/** The words for what happened to an account. */
export const activityWords = defineWords({
  en: () => import('./activity.words.en.ts'),
  sv: () => import('./activity.words.sv.ts'),
});
