import type { QuoteStanding, QuoteView } from './quote-filter.ts';

const statuses: Readonly<Record<QuoteStanding, string>> = {
  draft: 'Draft',
  sent: 'Sent',
  expired: 'Expired',
  accepted: 'Accepted',
  rejected: 'Declined',
};

const views: Readonly<Record<QuoteView, string>> = {
  all: 'All',
  expiring: 'Expires soon',
  silent: 'No answer for a week',
  draft: 'Drafts',
  sent: 'Sent',
  expired: 'Expired',
  accepted: 'Accepted',
  rejected: 'Declined',
};

/** What is said about quotes: other languages say the same. */
export const words = {
  title: 'Quotes',
  statuses,
  views,
  viewHints: { expiring: 'Sent, ends within a week', silent: 'Sent more than a week ago' },
  viewsLabel: 'Quotes by status',
  search: 'Search quotes',
  searchHint: 'Number, title or customer',
  create: 'New quote',
  list: 'Quotes',
  columns: {
    ...{ number: 'Number', title: 'Title', customer: 'Customer', status: 'Status', sent: 'Sent' },
    ...{ opened: 'Opened', validity: 'Valid until', total: 'Total' },
  },
  /** A customer whose name is not known yet. */
  unnamed: 'Customer without a name',
  until: (day: string) => `Valid until ${day}`,
  count: (quotes: number) => (quotes === 1 ? '1 quote' : `${quotes} quotes`),
  more: 'Show more',
  empty: {
    title: 'No quotes yet',
    text: 'Write your first quote: choose a customer, list the work, and send it.',
  },
  nothingFound: {
    title: 'Nothing found',
    text: 'No quote matches. Change the search, or show all quotes.',
    action: 'Show all quotes',
  },
  loading: 'Loading quotes',
  seenBefore:
    'You are offline. This is the draft as you last opened it; you can continue once you are connected.',
  notFound: {
    title: 'Quote not found',
    text: 'It was deleted, or belongs to another organization.',
    action: 'All quotes',
  },
  sheet: {
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Price',
    total: 'Total',
    packageTotal: 'Package total',
    subtotal: 'Subtotal',
    vat: (rate: string) => `VAT ${rate} %`,
    grandTotal: 'Total',
  },
  pdf: {
    title: 'The quote as PDF',
    contract: 'The contract as PDF',
    page: (number: number, count: number) => `Page ${number} of ${count}`,
    download: 'Download PDF',
    close: 'Close preview',
  },
  back: 'Quotes',
  customers: {
    lead: 'Lead',
    customer: 'Customer',
    add: (name: string) => `New customer “${name}”`,
    addHint: 'Is added with this quote',
  },
  newQuote: {
    title: 'New quote',
    customer: 'Customer',
    customerHint: 'A lead, a customer, or someone new',
    quoteTitle: 'Title',
    titleHint: 'What it is about, such as “New roof, Storgatan 5”',
    email: 'E-mail address of the customer',
    emailHint: 'Optional; where the quote goes',
    choose: 'Choose a customer, or type a new name and choose “New customer”.',
    submit: 'Create quote',
    cancel: 'Cancel',
  },
};

/** The words about quotes in one language. */
export type QuoteWords = typeof words;
