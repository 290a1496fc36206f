import type { UnsavedWords } from './unsaved.words.en.ts';

export const words: UnsavedWords = {
  title: 'Allt är inte sparat',
  text: 'Det som inte är sparat går förlorat när du lämnar sidan.',
  stay: 'Stanna',
  leave: 'Lämna utan att spara',
};
