import type { KeyPermission, Subject } from './key-permissions.ts';

type Role = 'member' | 'admin';

const permissions: Readonly<Record<KeyPermission, string>> = {
  'leads:read': 'Read leads',
  'leads:write': 'Create, change and delete leads',
  'leads:erase': 'Permanently delete leads',
  'quotes:read': 'Read quotes and customers',
  'quotes:write': 'Create, change and send quotes',
  'customers:erase': 'Erase customers',
  'users:read': 'Read people',
  'audit:read': 'Read the activity of the organization',
};

const subjects: Readonly<Record<Subject, string>> = {
  leads: 'Leads',
  quotes: 'Quotes and customers',
  people: 'People',
  activity: 'Activity',
};

const everything: Readonly<Record<Role, string>> = {
  member: 'Everything that a member may',
  admin: 'Everything that an admin may',
};

const aboutRoles: Readonly<Record<Role, string>> = {
  member: 'Its keys can work with leads and quotes, and read who the members are.',
  admin: 'Its keys can also permanently delete leads and customers, and read the activity.',
};

/** What is said about service accounts and keys: other languages say the same. */
export const words = {
  title: 'Service accounts and keys',
  about:
    'A program, such as a nightly import, uses the API as a service account, with one of its keys. Nobody’s password is involved, and a key works on after its maker has left.',
  back: 'Organization',
  list: 'Service accounts',
  cancel: 'Cancel',
  save: 'Save',
  empty: {
    title: 'No program has access yet',
    text: 'A key lets a program use the API, such as the form on your website that creates leads. Create a service account for the program first, then a key for it.',
  },
  created: (day: string, maker: string | null) =>
    maker === null ? `Created on ${day} by someone who has left` : `Created on ${day} by ${maker}`,
  keysOf: (account: string) => `Keys of ${account}`,
  noKeys: 'No keys: no program can use this account yet.',
  newKey: 'New key',
  newKeyOf: (account: string) => `New key for ${account}`,
  manage: 'Manage',
  manageOf: (account: string) => `Manage ${account}`,
  name: 'Name',
  role: 'Role',
  aboutRoles,
  create: {
    action: 'New service account',
    title: 'New service account',
    hint: 'What the program does, such as “Website form”.',
    submit: 'Create account',
    done: (account: string) => `${account} was created. Create a key for it next.`,
  },
  change: {
    lower: 'Its keys can do less at once.',
    done: 'Saved.',
  },
  remove: {
    action: 'Delete account',
    sure: (account: string, keys: number) =>
      keys === 0
        ? `${account} is deleted. It has no keys, so nothing stops working. What it has created stays.`
        : `${keys === 1 ? 'Its key stops' : `Its ${keys} keys stop`} working at once: programs that use ${account} are refused. What it has created stays. This cannot be undone.`,
    confirm: 'Delete account',
    done: (account: string) => `${account} was deleted.`,
  },
  key: {
    columns: { key: 'Key', use: 'Expiry and last use' },
    ending: (characters: string) => `ends in ${characters}`,
    everything,
    permissions,
    subjects,
    used: (moment: string) => `Last used ${moment}`,
    neverUsed: 'Never used',
    expires: (remaining: string, day: string) => `Expires ${remaining}, on ${day}`,
    expired: (day: string) => `Expired on ${day}`,
    badges: { expired: 'Expired', soon: 'Expires soon' },
    remove: 'Delete',
    removeOf: (key: string) => `Delete the key ${key}`,
    removal: {
      title: (key: string) => `Delete the key ${key}?`,
      unused: 'It was never used. A program that has it is refused from now on.',
      used: (moment: string) =>
        `It was last used ${moment}. The program that uses it is refused at once, until you give it another key.`,
      expired: 'It has expired and no longer works. It only disappears from the list.',
      final: 'This cannot be undone.',
      confirm: 'Delete key',
      done: (key: string) => `The key ${key} was deleted.`,
    },
  },
  newKeyForm: {
    title: (account: string) => `New key for ${account}`,
    hint: 'Where the key is used, such as “Server in Uppsala”.',
    end: 'Works for',
    lifetimes: { 30: '30 days', 90: '90 days', 365: 'A year' },
    ownDay: 'Until a day of your choice',
    until: (day: string) => `Until ${day}.`,
    announced: 'Owners get an e-mail two weeks before.',
    lastDay: 'Last day',
    wrongDay: 'Choose a day from today to a year ahead.',
    may: 'What it may do',
    chosen: 'Only what you choose',
    none: 'Choose at least one.',
    submit: 'Create key',
  },
  shown: {
    title: 'Your new key',
    once: 'This key is not shown again. Copy it now, and store it like a password.',
    key: 'Key',
    copyKey: 'Copy key',
    curl: 'Try it in a terminal',
    copyCurl: 'Copy command',
    copied: 'Copied',
    uncopied: 'Copy it by hand',
    done: 'Done',
    unsaved: 'You have not copied the key. Once this is closed, nobody can see it again.',
    keep: 'Keep it open',
    close: 'Close without copying',
  },
};

/** The words for service accounts and keys in one language. */
export type ServiceAccountWords = typeof words;
