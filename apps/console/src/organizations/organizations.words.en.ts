/** What is said about organizations: other languages say the same. */
export const words = {
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  menu: {
    label: (active: string) => `Organization: ${active}`,
    list: 'Your organizations',
    none: 'No organization',
    search: 'Search',
    nothingFound: 'None of your organizations matches.',
    locked: 'Requires two-factor authentication, which your account does not have yet.',
    unlock: 'Set it up',
    lockedBySso: 'Wants you to sign in through it.',
    continueBy: 'Continue with your organization',
    create: 'New organization',
    join: (name: string) => `Join ${name}`,
    joinBy: (domain: string) => `Open to addresses in ${domain}`,
  },
  create: {
    title: 'New organization',
    name: 'Name',
    slug: 'Short name',
    slugHint: 'Used in addresses and unique: 3 to 48 characters of a to z, 0 to 9 and hyphens.',
    submit: 'Create organization',
    cancel: 'Cancel',
  },
};

/** The words about organizations in one language. */
export type OrganizationWords = typeof words;
