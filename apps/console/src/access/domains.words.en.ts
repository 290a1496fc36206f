/** What is said about domains: other languages say the same. */
export const words = {
  title: 'Domains and single sign-on',
  about:
    'Prove that a domain belongs to your organization, by a record in its DNS. People with an address in the domain can then join by themselves, if you let them.',
  back: 'Organization',
  list: 'Domains of your organization',
  none: 'No domains yet.',
  add: {
    title: 'Add a domain',
    field: 'Domain',
    hint: 'What stands after the @ in your addresses, such as company.com. A subdomain is a domain of its own.',
    submit: 'Add domain',
    done: (domain: string) => `${domain} was added. Add its record to the DNS next.`,
  },
  badges: { pending: 'Not proven', verified: 'Proven', missing: 'Record missing', suspended: 'Suspended' },
  states: {
    pending:
      'Add this record where the DNS of the domain is managed, then check. It can take an hour to be seen.',
    verified: (day: string, read: string) =>
      `Proven on ${day}. The record was last seen on ${read}, and is looked for every day: leave it in place.`,
    missing: (read: string) =>
      `The record was missing on ${read}. Add it again: if it is missing three days in a row, the domain is suspended.`,
    suspended: (day: string) =>
      `Suspended on ${day}, because the record was missing three days in a row: nobody can join by this domain, and another organization may prove it. Add the record again, then check.`,
  },
  record: {
    title: (domain: string) => `DNS record for ${domain}`,
    show: 'Show the record',
    type: 'Type',
    name: 'Name',
    value: 'Value',
    copyName: 'Copy name',
    copyValue: 'Copy value',
    copied: 'Copied',
    uncopied: 'Copy it by hand',
  },
  check: {
    action: 'Check now',
    of: (domain: string) => `Check now: ${domain}`,
    done: (domain: string) => `The record of ${domain} is there.`,
  },
  joins: {
    label: (domain: string) => `Anyone with a confirmed address in ${domain} may join as a member`,
    on: (domain: string) => `People with an address in ${domain} may join now.`,
    off: (domain: string) => `People with an address in ${domain} need an invitation now. Members stay.`,
    later: 'This takes effect once the domain is proven.',
  },
  remove: {
    of: (domain: string) => `Delete ${domain}`,
    sure: (domain: string) =>
      `Nobody can join by ${domain} any more, and another organization may prove it. Members stay. To add it again takes a new record.`,
    confirm: 'Delete domain',
    cancel: 'Cancel',
    done: (domain: string) => `${domain} was deleted.`,
  },
};

/** The words for domains in one language. */
export type DomainWords = typeof words;
