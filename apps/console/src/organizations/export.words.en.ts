/** What is said about the archives of an organization: other languages say the same. */
export const words = {
  title: 'Export the organization',
  back: 'Organization',
  about:
    'Each part is a ZIP archive: every table as lines of JSON, and what people read as CSV. Its README.txt says what is not in it, and why. You confirm that it is you, and all owners get an e-mail.',
  limits:
    'Each part can be exported twice an hour. What is in a part is of one moment; the four are not of the same moment.',
  inIt: 'In it',
  notInIt: 'Not in it',
  parts: {
    leads: {
      title: 'Leads',
      inIt: 'All leads with their history and activity, also deleted ones that can be restored.',
      notInIt:
        'Past imports: they are kept for some weeks, to be taken back. The leads that they created are in it.',
    },
    quotes: {
      title: 'Quotes and customers',
      inIt: 'All customers and quotes with their lines, decisions, contracts, numbering, logos and activity, and the PDFs of sent quotes.',
      notInIt:
        'The secret links by which customers open quotes: they work only here. Also what limits letters for a day.',
    },
    people: {
      title: 'People',
      inIt: 'The directory: names, e-mail addresses and roles. It is for people to read.',
      notInIt: 'Accounts, with their passwords and other ways to sign in: an account belongs to its user.',
    },
    organization: {
      title: 'Organization and access',
      inIt: 'Settings and logo, members and open invitations, service accounts, domains, connections, groups of directories, and the activity of the organization.',
      notInIt: 'Keys, tokens and other secrets. People of a directory: it sends them again.',
    },
  },
  pdfs: 'PDFs of sent quotes',
  pdfChoices: { all: 'All', none: 'None', year: 'Those of a year' },
  pdfsHint: 'PDFs take the most time and space.',
  year: 'Year',
  yearHint: 'That of the quote number.',
  download: 'Export',
  downloadOf: (part: string) => `Export: ${part}`,
  begun: (file: string) =>
    `Your browser is fetching ${file}. You may leave this page, but stay signed in until the file is saved. If your browser says that it failed, export again: an archive without manifest.json is not whole.`,
  refusals: {
    RATE_LIMITED:
      'Each part can be exported twice an hour, and an organization writes one archive of it at a time. Another owner may be exporting.',
    UPSTREAM_UNAVAILABLE:
      'A service is away: the one that has this part, or the one that writes to the owners. The other parts may work.',
    INSUFFICIENT_USER_AUTHENTICATION: 'Nothing was exported.',
  },
  nowhere: {
    title: 'In none of the archives',
    text: 'Some things work only here, or belong to somebody else:',
    list: [
      'passwords, passkeys and sessions: an account belongs to its user',
      'keys of service accounts, tokens of directories, and secrets of connections: of most, only a digest is stored',
      'what proves your domains to this installation',
    ],
  },
  elsewhere: {
    title: 'To continue elsewhere',
    text: 'Give the operator of the other Tenantry installation the archives of leads, of quotes and of the organization: they import them into a new organization, with the command in their operations guide. Settings and logo come along, and your people wait among its invitations until you send them. Service accounts, domains and single sign-on are set up anew.',
  },
};

/** The words about the archives of an organization in one language. */
export type ExportWords = typeof words;
