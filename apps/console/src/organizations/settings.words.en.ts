const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** What is said about the settings of an organization: other languages say the same. */
export const words = {
  title: 'Organization',
  save: 'Save',
  saved: 'Saved',
  cancel: 'Cancel',
  none: 'Not set',
  profile: {
    title: 'Name',
    about: 'Shown to members, and to customers on quotes and in e-mails.',
    name: 'Name',
    slug: 'Short name',
    since: 'Since',
    timeZone: 'Time zone',
    timeZoneHint: 'Defines when a day ends: a quote is valid until the end of a day.',
  },
  quotes: {
    title: 'Quotes',
    about: 'Defaults for new quotes. Existing quotes keep theirs.',
    currency: 'Currency',
    vatRate: 'VAT rate in percent',
    prefix: 'Prefix of quote numbers',
    prefixHint: (example: string) => `1 to 10 characters of A to Z, 0 to 9 and hyphens, such as ${example}.`,
    readAs: (number: string) => `Read as ${number}`,
    notANumber: 'Enter a number from 0 to 100.',
  },
  leads: {
    title: 'Leads',
    about:
      'How leads may move. A lead always moves from New to Contacted, and on to Qualified or Lost, and from Qualified to Won.',
    further: 'Allow these moves too',
    move: (from: string, to: string) => `From ${from} to ${to}`,
    noneFurther: 'None',
    quotes: 'Accepted quotes',
    acceptedQuote: 'An accepted quote moves its lead to Won, if it may move there',
    notAcceptedQuote: 'Leads are moved by hand',
  },
  address: {
    title: 'Address and VAT number',
    about: 'Shown on your quotes.',
    lines: ['Street or box', 'Address line 2', 'Address line 3'],
    postalCode: 'Postal code',
    city: 'City',
    country: 'Country',
    choose: 'Choose a country',
    vatNumber: 'VAT number',
    vatNumberHint: 'With its country code, such as SE556012579001.',
  },
  logo: {
    title: 'Logo',
    about: 'Shown on your quotes. A picture that is too large is scaled down.',
    alternative: (organization: string) => `Logo of ${organization}`,
    none: 'No logo yet.',
    choose: 'Choose a picture',
    replace: 'Choose another picture',
    remove: 'Remove',
    removeSure: 'Sent quotes keep their logo.',
    unreadable: 'This file cannot be read as a picture. Choose a PNG or a JPEG.',
  },
  twoFactor: {
    title: 'Two-factor authentication',
    about: 'You can require it of all members.',
    on: 'Every member needs two-factor authentication.',
    off: 'Members may sign in with only a password.',
    require: 'Require it of everyone',
    requireSure: (count: number) =>
      count === 0
        ? 'Everyone has it. New members get access once they have set it up.'
        : `${people(count)} without it ${count === 1 ? 'loses' : 'lose'} access until they have set it up.`,
    stop: 'Stop requiring it',
    stopSure: 'A stolen password is then enough to sign in.',
    confirm: { require: 'Require', stop: 'Stop requiring it' },
    lacking: (count: number) => `${people(count)} without it`,
    all: 'Everyone has it.',
    more: (count: number) => `and ${count} more`,
    own: 'Turn it on for your account',
  },
  keys: {
    title: 'Programs',
    about: 'A program uses the API with a key, in place of anyone’s password.',
    open: 'Service accounts and keys',
  },
  domains: {
    title: 'Domains',
    about: 'People with an address in a domain of yours can join without an invitation.',
    open: 'Domains and single sign-on',
  },
  usage: {
    title: 'Storage',
    about: 'What your organization stores, with history, audit trail and deleted items that can be restored.',
    services: { leads: 'Leads', quotes: 'Quotes and customers', people: 'People' },
    rows: (service: string) => `${service}, in rows`,
    bytes: (service: string) => `${service}, in megabytes`,
    rowsOf: (used: string, quota: string, share: string) => `${used} of ${quota} rows (${share})`,
    bytesOf: (used: string, quota: string, share: string) => `${used} of ${quota} MB (${share})`,
    members: 'Members and open invitations',
    membersOf: (used: string, quota: string, share: string) => `${used} of ${quota} (${share})`,
    near: 'Nearly full: soon nothing can be added.',
    full: 'Full: nothing can be added.',
    makeRoom: 'Permanently delete what you no longer need, or ask your operator for more.',
    makePlaces: 'Remove members, withdraw invitations, or ask your operator for more.',
    confirm:
      'There is more room once an owner has confirmed their e-mail address, by the link that was sent to it.',
    send: 'Send me the confirmation link again',
    sent: (email: string) => `If ${email} is not confirmed yet, a new link is on its way.`,
  },
  export: {
    title: 'Export',
    about: 'Take everything with you: leads, quotes, customers, people and PDFs.',
    open: 'Export the organization',
  },
  erase: {
    title: 'Delete organization',
    about:
      'Members lose access at once, and open quotes are closed. After a grace period all data is permanently deleted.',
    exportFirst: 'You cannot export anything after that.',
    openExport: 'Export it first',
    type: (slug: string) => `Type ${slug} to confirm`,
    submit: 'Delete organization',
  },
};

/** The words about the settings of an organization in one language. */
export type SettingsWords = typeof words;
