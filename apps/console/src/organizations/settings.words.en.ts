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
    about: 'Colleagues see it, and so do customers on quotes and in letters.',
    name: 'Name',
    slug: 'Short name',
    since: 'Since',
    timeZone: 'Time zone',
    timeZoneHint: 'In which its days begin and end: a quote is valid until the end of one.',
  },
  quotes: {
    title: 'Quotes',
    about: 'What new quotes begin with. Quotes that exist keep theirs.',
    currency: 'Currency',
    vatRate: 'VAT rate in percent',
    prefix: 'Quote numbers begin with',
    prefixHint: (example: string) => `1 to 10 of A to Z, 0 to 9 and hyphens, as in ${example}.`,
    notANumber: 'Enter a number from 0 to 100.',
  },
  address: {
    title: 'Address and VAT number',
    about: 'They stand on your quotes.',
    lines: ['Street or box', 'Address line 2', 'Address line 3'],
    postalCode: 'Postal code',
    city: 'City',
    country: 'Country',
    choose: 'Choose a country',
    vatNumber: 'VAT number',
    vatNumberHint: 'With its country code, as in SE556012579001.',
  },
  logo: {
    title: 'Logo',
    about: 'It stands on your quotes. A picture that is too large is made smaller here.',
    alternative: (organization: string) => `Logo of ${organization}`,
    none: 'There is none yet.',
    choose: 'Choose a picture',
    replace: 'Choose another picture',
    remove: 'Remove',
    removeSure: 'Quotes that were sent keep the logo that they were sent with.',
    unreadable: 'This file is no picture that can be read. Choose a PNG or a JPEG.',
  },
  twoFactor: {
    title: 'Two-factor authentication',
    about: 'Members without it can be kept out.',
    on: 'Every member needs two-factor authentication.',
    off: 'Members may sign in with a password alone.',
    require: 'Require it of everybody',
    requireSure: (count: number) =>
      count === 0
        ? 'Everybody here has it. Whoever joins later is let in once they have set it up.'
        : `${people(count)} without it ${count === 1 ? 'is' : 'are'} kept out until they have set it up.`,
    stop: 'Require it no longer',
    stopSure: 'A stolen password is then enough to get in.',
    confirm: { require: 'Require', stop: 'Stop requiring it' },
    lacking: (count: number) => `${people(count)} without it`,
    all: 'Everybody here has it.',
    more: (count: number) => `and ${count} more`,
    own: 'Turn it on for your account',
  },
  erase: {
    title: 'Delete organization',
    about:
      'Its members lose access at once, and its open quotes are closed. After a period of grace everything in it is deleted for good.',
    type: (slug: string) => `Type ${slug} to confirm`,
    submit: 'Delete organization',
  },
};

/** The words about the settings of an organization in one language. */
export type SettingsWords = typeof words;
