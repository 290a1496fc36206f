import { defineWords } from '../../design/language.ts';

/** The words of the editor of quotes. */
export const editorWords = defineWords({
  en: () => import('./editor.words.en.ts'),
  sv: () => import('./editor.words.sv.ts'),
});
