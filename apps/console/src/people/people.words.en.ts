const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** What is said about people: other languages say the same. */
export const words = {
  title: 'People',
  search: 'Search by name or address',
  list: 'People',
  count: people,
  found: (count: number) => (count === 0 ? 'No one found' : people(count)),
  nothingFound: (typed: string) => `No one has “${typed}” in their name or address.`,
  clear: 'Show everyone',
  you: 'You',
  disabled: 'Disabled',
  more: 'Show more',
  manage: 'Manage',
  manageOf: (name: string) => `Manage ${name}`,
  alone: {
    title: 'You are the only member',
    text: 'Invite your colleagues: each gets an e-mail with a link to join.',
  },
  facts: { email: 'E-mail address', role: 'Role', since: 'Member since', account: 'Account' },
  close: 'Close',
  cancel: 'Cancel',
  name: {
    title: 'Name',
    first: 'First name',
    last: 'Last name',
    submit: 'Save name',
    done: 'Name saved.',
    own: 'Change your name in your account',
  },
  role: {
    title: 'Role',
    label: 'Role',
    submit: 'Change role',
    done: (name: string, role: string) => `${name} now has the role ${role}.`,
    about: {
      member: 'Works with leads and quotes.',
      admin: 'Also manages people and the settings of the organization.',
      owner: 'Also manages owners, disables accounts and can delete the organization.',
    },
  },
  transfer: {
    action: 'Transfer ownership',
    sure: (name: string) => `Make ${name} an owner and yourself an admin?`,
    confirm: 'Transfer ownership',
  },
  disable: {
    action: 'Disable account',
    sure: (name: string) =>
      `${name} is signed out everywhere and cannot sign in until you enable the account.`,
    confirm: 'Disable',
    done: 'The account is disabled.',
  },
  enable: { action: 'Enable account', done: 'The account is enabled.' },
  reset: {
    action: 'Reset two-factor authentication',
    sure: (name: string) =>
      `For a lost phone: two-factor authentication is turned off for ${name}, who is signed out everywhere. Make sure that they are really the one asking.`,
    confirm: 'Reset',
    done: 'Two-factor authentication is off for this account.',
  },
  remove: {
    action: 'Remove',
    sure: (name: string) =>
      `${name} loses access at once. An account that this organization created is deleted, unless it also belongs to another one.`,
    confirm: 'Remove',
  },
  leave: {
    action: 'Leave organization',
    sure: (organization: string) => `Leave ${organization}? You need an invitation to return.`,
    confirm: 'Leave',
  },
  wayOut: {
    lastOwner: 'Open another member and transfer the ownership, or delete the organization.',
    toOrganization: 'Go to the organization',
    sharedAccount: 'Remove from this organization instead',
    unverified: 'Send me the confirmation link again',
    sent: (email: string) => `A link is on its way to ${email}.`,
    changed: 'Someone else has changed this person. What you typed is still here.',
  },
  invite: {
    action: 'Invite people',
    title: 'Invite people',
    addresses: 'E-mail addresses',
    addressesHint: 'One or several, separated by commas, spaces or lines.',
    role: 'Role',
    submit: (count: number) => (count > 1 ? `Invite ${people(count)}` : 'Invite'),
    none: 'Enter at least one address.',
    sent: (emails: readonly string[]) =>
      emails.length === 1
        ? `An invitation is on its way to ${emails[0]}.`
        : `${emails.length} invitations are on their way.`,
    already: (email: string) => `${email} has an open invitation, which you can send again.`,
    sending: (done: number, count: number) => `${done} of ${count}`,
  },
  invitations: {
    title: 'Open invitations',
    about: 'They expire after seven days.',
    as: (role: string) => `As: ${role}`,
    by: (name: string) => `by ${name}`,
    until: (day: string) => `until ${day}`,
    notSent: 'imported, and not sent yet',
    send: 'Send',
    sendOf: (email: string) => `Send to ${email}`,
    sendAll: (count: number) => `Send all ${count}`,
    again: 'Send again',
    againOf: (email: string) => `Send again to ${email}`,
    sentAgain: (email: string) => `A new invitation is on its way to ${email}.`,
    withdraw: 'Withdraw',
    withdrawOf: (email: string) => `Withdraw the invitation to ${email}`,
  },
  create: {
    action: 'Create account',
    title: 'Create an account',
    about: 'For someone who signs in with a password that you give them. They can change it.',
    email: 'E-mail address',
    first: 'First name',
    last: 'Last name',
    password: 'Password',
    show: 'Show',
    hide: 'Hide',
    submit: 'Create account',
    done: (email: string) => `${email} can sign in now.`,
  },
};

/** The words about people in one language. */
export type PeopleWords = typeof words;
