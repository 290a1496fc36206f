/** What is said to somebody who leaves before all is saved: other languages say the same. */
export const words = {
  title: 'You have unsaved changes',
  text: 'Your changes are lost if you leave.',
  stay: 'Stay',
  leave: 'Leave without saving',
};

/** The words about leaving in one language. */
export type UnsavedWords = typeof words;
