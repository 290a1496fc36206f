/** What is said to somebody who leaves before all is saved: other languages say the same. */
export const words = {
  title: 'Not everything is saved',
  text: 'What is not saved is lost when you leave.',
  stay: 'Stay',
  leave: 'Leave without saving',
};

/** The words about leaving in one language. */
export type UnsavedWords = typeof words;
