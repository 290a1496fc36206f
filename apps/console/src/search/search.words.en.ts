/** What is said about searching and keys: other languages say the same. */
export const words = {
  open: 'Search',
  title: 'Search and commands',
  label: 'Search, or what you want to do',
  results: 'Results',
  nothingFound: 'No results.',
  incomplete: 'Some results could not be loaded.',
  number: (results: number) => (results === 1 ? '1 result' : `${results} results`),
  groups: {
    commands: 'Commands',
    leads: 'Leads',
    quotes: 'Quotes',
    customers: 'Customers',
    people: 'People',
  },
  commands: {
    newLead: 'New lead',
    newQuote: 'New quote',
    serviceAccounts: 'Service accounts and keys',
    domains: 'Domains and single sign-on',
    account: 'Your account',
    organizationQuotes: 'Organization: Quotes',
    organizationSecurity: 'Organization: Security',
    organizationData: 'Organization: Data',
    accountSecurity: 'Your account: Security',
    accountActivity: 'Your account: Activity',
    newOrganization: 'New organization',
    switchTo: (name: string) => `Switch to ${name}`,
    keys: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },
  help: {
    title: 'Keyboard shortcuts',
    palette: 'Search and commands',
    undo: 'Undo the last action',
    search: 'Search this page',
    help: 'This list',
    go: (page: string) => `Go to ${page}`,
    single: 'Single-key shortcuts',
    singleHint: 'Switch them off if something else presses keys, such as speech input. Ctrl K always works.',
    close: 'Close',
    key: 'Keys',
    does: 'What they do',
  },
};

/** The words about searching and keys in one language. */
export type SearchWords = typeof words;
