import type { UnsavedWords } from './unsaved.words.en.ts';

export const words: UnsavedWords = {
  title: 'Du har osparade ändringar',
  text: 'Ändringarna går förlorade om du lämnar sidan.',
  stay: 'Stanna',
  leave: 'Lämna utan att spara',
};
