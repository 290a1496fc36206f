import type { api } from '@tenantry/client';

type DeliveryReason = NonNullable<api.Delivery['reason']>;

const tooMany = 'Waiting: the daily limit of mailed quotes is reached.';

const deliveryReasons: Readonly<Record<DeliveryReason, string>> = {
  RECIPIENT_DAILY_LIMIT: tooMany,
  SENDER_DAILY_LIMIT: tooMany,
  ORGANIZATION_DAILY_LIMIT: tooMany,
  QUOTE_REVISED: 'Not mailed: the quote was revised.',
  QUOTE_ANSWERED: 'Not mailed: the quote was answered.',
  CUSTOMER_ERASED: 'Not mailed: the customer was erased.',
  ORGANIZATION_DELETED: 'Not mailed: the organization was deleted.',
  SET_ASIDE: 'Waiting for your operator.',
};

/** What is said about quotes that were sent: other languages say the same. */
export const words = {
  timeline: 'What happened',
  events: {
    created: 'Created',
    mailed: (recipient: string) => `Mailed to ${recipient}`,
    opened: 'Opened by the customer',
    accepted: (name: string) => (name === '' ? 'Accepted' : `Accepted by ${name}`),
    rejected: (name: string) => (name === '' ? 'Declined by the customer' : `Declined by ${name}`),
    forCustomer: { accepted: 'Accepted for the customer', rejected: 'Declined for the customer' },
    contract: 'Contract created',
    superseded: 'Replaced by a newer revision',
  },
  deliveries: {
    delivered: (moment: string) => `Delivered ${moment}`,
    waiting: 'On its way',
    retrying: (next: string) => `Could not be delivered yet. Next attempt ${next}`,
    failed: 'Could not be delivered.',
    reasons: deliveryReasons,
  },
  actions: {
    label: 'What you can do',
    resend: 'Mail again',
    link: 'Copy link',
    revise: 'Revise',
    duplicate: 'Duplicate',
    accept: 'Accept for the customer',
    reject: 'Decline for the customer',
    contract: 'Create contract',
    pdf: 'Show PDF',
    hidePdf: 'Hide PDF',
    more: 'More',
  },
  expired: 'This quote has expired: the customer can no longer accept it. Revise it to offer it again.',
  superseded: 'A newer revision has replaced this one.',
  newest: 'Show the newest',
  revisions: 'Revisions',
  revision: (revision: number) => `Revision ${revision}`,
  shown: 'Shown',
  compare: 'Compare with this one',
  contract: {
    title: 'Contract',
    text: (moment: string) =>
      `Created ${moment} from the accepted quote. It has lines for both parties to sign on.`,
    show: 'Show contract',
    hide: 'Hide contract',
  },
  lead: {
    title: 'Lead',
    win: 'Move lead to Won',
    done: 'The lead is won',
  },
  resend: {
    title: 'Mail the quote again',
    recipient: 'To',
    language: 'Language of the e-mail',
    message: 'Message',
    submit: 'Mail again',
    cancel: 'Cancel',
    done: 'The quote is on its way.',
  },
  link: {
    copied: 'Link copied. Anyone who has it can read and answer the quote.',
    title: 'Copy the link by hand',
    label: 'Link to the quote',
    hint: 'Your browser did not allow copying. The link is shown only now; anyone who has it can read and answer the quote.',
    close: 'Close',
  },
  accept: {
    title: 'Accept for the customer?',
    text: 'The quote counts as accepted from now on, and the activity shows that you did it.',
    submit: 'Accept',
    cancel: 'Cancel',
  },
  reject: {
    title: 'Decline for the customer?',
    text: 'The quote counts as declined from now on. It can be revised.',
    reason: 'Reason, if known',
    submit: 'Decline',
    cancel: 'Cancel',
  },
  comparison: {
    title: (one: number, other: number) => `Revision ${one} and ${other} side by side`,
    item: 'Line',
    kinds: { same: 'Unchanged', changed: 'Changed', added: 'Added', removed: 'Removed' },
    none: 'No differences.',
    total: 'Total',
    close: 'Close',
    titleRow: 'Title',
    descriptionRow: 'Description',
    absent: 'Not included',
  },
};

/** The words about quotes that were sent in one language. */
export type SentWords = typeof words;
