import { defineWords } from '../design/language.ts';

/** The words for what happens in an organization. */
export const organizationActivityWords = defineWords({
  en: () => import('./activity.words.en.ts'),
  sv: () => import('./activity.words.sv.ts'),
});
