/** What is said about what is around every page: other languages say the same. */
export const words = {
  skip: 'Skip to the page',
  account: 'Your account',
  signOut: 'Sign out',
  menu: (name: string) => `${name}: account and sign-out`,
  navigation: {
    label: 'Pages',
    more: 'More',
    names: {
      home: 'Home',
      leads: 'Leads',
      quotes: 'Quotes',
      customers: 'Customers',
      people: 'People',
      organization: 'Organization',
      activity: 'Activity',
    },
  },
  toasts: { label: 'Messages', undo: 'Undo', dismiss: 'Dismiss' },
  forbidden: {
    title: 'Not for your role',
    text: 'Your role in this organization does not open this page. An admin or an owner can give you another one.',
    home: 'Go to the start',
  },
};

/** The words about what is around every page in one language. */
export type ShellWords = typeof words;
