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
  theme: { legend: 'Appearance', system: 'Like the device', light: 'Light', dark: 'Dark' },
  unconfirmed: {
    text: (email: string) =>
      `Confirm your address by the link that was sent to ${email}. Until then you cannot send quotes or invite people.`,
    send: 'Send the link again',
    sent: (email: string) => `A new link is on its way to ${email}.`,
  },
  forbidden: {
    title: 'You have no access',
    text: 'Your role in this organization does not allow this page. An admin or owner can change it.',
    home: 'Go to Home',
  },
  outOfReach: {
    title: 'No connection',
    text: 'This page has not been open yet, and needs a connection. It opens by itself once you are connected.',
  },
};

/** The words about what is around every page in one language. */
export type ShellWords = typeof words;
