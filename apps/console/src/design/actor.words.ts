import { defineWords } from './language.ts';

/** The words for actors. */
export const actorWords = defineWords({
  en: () => import('./actor.words.en.ts'),
  sv: () => import('./actor.words.sv.ts'),
});
