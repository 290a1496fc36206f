import { defineWords } from '../design/language.ts';

/** The words for invitations. */
export const invitationWords = defineWords({
  en: () => import('./invitations.words.en.ts'),
  sv: () => import('./invitations.words.sv.ts'),
});
