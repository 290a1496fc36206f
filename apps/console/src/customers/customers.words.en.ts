/** What is said about customers: other languages say the same. */
export const words = {
  title: 'Customers',
  list: 'Customers',
  import: 'Import',
  search: 'Search customers',
  searchHint: 'Name, address or VAT number',
  unnamed: 'Customer without a name',
  more: 'Show more',
  loading: 'Loading customers',
  empty: {
    title: 'No customers yet',
    text: 'Anyone you write a quote for becomes a customer and is listed here. You can add others yourself.',
    action: 'New quote',
  },
  nothingFound: {
    title: 'Nothing found',
    text: 'No customer matches. Change the search, or show all customers.',
    action: 'Show all customers',
  },
  notFound: {
    title: 'Customer not found',
    text: 'The customer was erased, or belongs to another organization.',
    action: 'All customers',
  },
  creating: { title: 'New customer', submit: 'Add customer', cancel: 'Cancel' },
  duplicate: 'Another customer has this e-mail address or VAT number:',
  back: 'Customers',
  details: {
    title: 'Details',
    about: 'Changes apply to drafts; sent quotes do not change.',
    name: 'Name',
    email: 'E-mail address',
    address: 'Postal address',
    vatNumber: 'VAT number',
    language: 'Language of e-mails',
    change: 'Change details',
    cancel: 'Cancel',
    nothing: 'Only the name is known so far.',
    noLanguage: 'Not chosen',
    save: 'Save',
    saved: 'Saved.',
  },
  conflict: {
    title: 'Someone else has changed this customer',
    column: { field: 'Field', now: 'Now', yours: 'Yours' },
    keep: 'Save mine',
    drop: 'Take theirs',
  },
  quotes: {
    title: 'Quotes',
    empty: 'There is no quote for this customer.',
    loading: 'Loading quotes',
    create: 'New quote',
    columns: { title: 'Title', status: 'Status', sent: 'Sent', total: 'Total' },
    statuses: {
      ...{ draft: 'Draft', sent: 'Sent', expired: 'Expired' },
      ...{ accepted: 'Accepted', rejected: 'Declined' },
    },
    accepted: 'accepted',
    acceptedOf: (quotes: number) => `accepted, of the latest ${quotes} quotes`,
    noneAccepted: 'Nothing accepted yet',
    history: 'What happened last',
    events: {
      sent: (title: string) => `${title} was sent`,
      opened: (title: string) => `${title} was opened`,
      accepted: (title: string) => `${title} was accepted`,
      rejected: (title: string) => `${title} was declined`,
    },
  },
};

/** The words about customers in one language. */
export type CustomerWords = typeof words;
