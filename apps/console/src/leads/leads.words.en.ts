import type { LeadOrder, LeadStatus } from './lead-filters.ts';
import { words as fields } from './lead-fields.words.en.ts';

const statuses: Readonly<Record<LeadStatus, string>> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  won: 'Won',
  lost: 'Lost',
};

const orders: Readonly<Record<LeadOrder, string>> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  '-updatedAt': 'Changed last',
  updatedAt: 'Least recently changed',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  email: 'E-mail, A to Z',
  '-email': 'E-mail, Z to A',
  status: 'Status',
  '-status': 'Status, reversed',
  source: 'Source, A to Z',
  '-source': 'Source, Z to A',
  phone: 'Phone',
  '-phone': 'Phone, reversed',
};

const leads = (count: number, number: string): string => `${number} ${count === 1 ? 'lead' : 'leads'}`;

/** What is said about leads: other languages say the same. */
export const words = {
  title: 'Leads',
  statuses,
  orders,
  create: 'New lead',
  export: 'Export',
  import: 'Import',
  further: 'More actions',
  views: { label: 'View', table: 'Table', board: 'Board' },
  filters: {
    search: 'Search name or e-mail',
    states: 'Show leads that are',
    all: 'All',
    deleted: 'Deleted',
    more: (count: string) => (count === '0' ? 'Filters' : `Filters (${count})`),
    source: 'Source',
    from: 'Created from',
    to: 'Created until',
    order: 'Order',
    clear: 'Show all leads',
  },
  columns: { name: 'Name', status: 'Status', source: 'Source', phone: 'Phone', created: 'Created' },
  found: leads,
  loading: 'Leads are loading',
  empty: {
    title: 'No leads yet',
    text: 'A lead is someone who may become a customer. Create the first one, or import a file.',
  },
  nothingFound: { title: 'No lead matches', text: 'Change the search, or remove filters.' },
  nothingDeleted: {
    title: 'Nothing was deleted',
    text: 'Deleted leads stay here for a while and can be restored.',
  },
  lead: {
    close: 'Close',
    previous: 'Previous lead',
    next: 'Next lead',
    gone: 'This lead does not exist or was deleted.',
    fields,
    none: 'Not given',
    edit: (field: string) => `Change: ${field}`,
    save: 'Save',
    cancel: 'Cancel',
    unsaved: 'Not saved yet',
    created: (when: string) => `Created ${when}`,
    changed: (when: string) => `Changed ${when}`,
    move: 'Move to',
    moved: (name: string, status: string) => `${name} moves to ${status}`,
    moveFailed: (name: string) => `${name} could not be moved.`,
    delete: 'Delete',
    deleted: (name: string) => `${name} was deleted`,
    restore: 'Restore',
    restored: (name: string) => `${name} is back`,
    isDeleted: 'This lead was deleted.',
    duplicate: 'Another lead has this e-mail address:',
    write: 'Write an e-mail',
    call: 'Call',
  },
  conflict: {
    title: 'Someone else has changed this lead',
    column: { field: 'Field', now: 'Now', yours: 'Yours' },
    keep: 'Save mine',
    drop: 'Take theirs',
  },
  history: {
    title: 'History',
    created: 'Created',
    moved: (from: string, to: string) => `From ${from} to ${to}`,
    you: 'by you',
    by: (name: string) => `by ${name}`,
    more: 'Show more',
  },
  quotes: {
    title: 'Quotes',
    empty: 'There is no quote for this lead yet.',
    create: 'New quote',
    untitled: 'Without a title',
    statuses: { draft: 'Draft', sent: 'Sent', accepted: 'Accepted', rejected: 'Declined' },
    more: (number: string) => `and ${number} more`,
  },
  board: {
    columns: 'Leads by status',
    hold: (name: string) => `Move ${name}`,
    held: (name: string, status: string, reason: string) =>
      `${name} is held over ${status}. ${reason} Arrow keys choose a column, Space drops, Escape leaves it where it was.`,
    over: (status: string) => `Over ${status}`,
    left: (name: string) => `${name} stays where it was`,
    refused: (name: string, status: string, reason: string) =>
      `${name} stays where it was: ${status} does not take it. ${reason}`,
    help: 'Drag a card to another column. With the keyboard: Space on its handle, arrow keys, Space.',
    empty: 'None',
    more: 'Show more',
    moving: 'moving',
  },
  moves: {
    only: (from: string, to: string) => `From ${from}, a lead can move to ${to}.`,
    none: (from: string) => `From ${from}, a lead cannot move.`,
    more: (to: string) => `Admins can allow ${to} as well.`,
    open: 'Allow more moves',
    refuses: (from: string) => `Not from ${from}`,
    refusesYet: (from: string) => `Not from ${from}, unless an admin allows it`,
  },
  form: { title: 'New lead', submit: 'Create lead', cancel: 'Cancel' },
};

/** The words about leads in one language. */
export type LeadWords = typeof words;
