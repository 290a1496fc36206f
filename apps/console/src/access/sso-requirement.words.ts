import { defineWords } from '../design/language.ts';

/** The words for single sign-on that is required. */
export const ssoRequirementWords = defineWords({
  en: () => import('./sso-requirement.words.en.ts'),
  sv: () => import('./sso-requirement.words.sv.ts'),
});
