/** What is said about customers: other languages say the same. */
export const words = {
  title: 'Customers',
  list: 'Customers',
  search: 'Search customers',
  searchHint: 'Name or e-mail address',
  unnamed: 'Customer without a name',
  more: 'Show more',
  loading: 'Loading customers',
  empty: {
    title: 'No customers yet',
    text: 'Whoever gets a quote becomes a customer: write a quote, and they are listed here.',
    action: 'New quote',
  },
  nothingFound: {
    title: 'Nothing found',
    text: 'No customer matches. Search for something else, or look at all of them.',
    action: 'Show all customers',
  },
  notFound: {
    title: 'There is no such customer',
    text: 'They were erased, or belong to another organization.',
    action: 'All customers',
  },
  back: 'Customers',
  details: {
    title: 'Details',
    about: 'Drafts follow what you change here; what was sent stays as it was sent.',
    name: 'Name',
    email: 'E-mail address',
    language: 'Language of letters',
    languages: { en: 'English', sv: 'Svenska' },
    noLanguage: 'Not chosen',
    save: 'Save',
    saved: 'Saved.',
  },
  conflict: {
    title: 'Somebody else has changed this customer meanwhile',
    column: { field: 'Field', now: 'Now', yours: 'Yours' },
    keep: 'Save mine',
    drop: 'Take theirs',
  },
  quotes: {
    title: 'Quotes',
    empty: 'There is no quote for this customer.',
    loading: 'Loading quotes',
    create: 'New quote',
  },
};

/** The words about customers in one language. */
export type CustomerWords = typeof words;
