import type { Action } from './activity.queries.ts';

const fields = {
  name: 'name',
  email: 'e-mail address',
  phone: 'phone',
  status: 'status',
  source: 'source',
  notes: 'notes',
  ownerId: 'responsible person',
  title: 'title',
  description: 'description',
  validUntil: 'validity',
  currency: 'currency',
  vatRate: 'VAT rate',
  vatExemption: 'VAT exemption',
  customerId: 'customer',
  address: 'address',
  language: 'language',
  defaultCurrency: 'currency',
  quoteNumberPrefix: 'prefix of quote numbers',
  requireTwoFactor: 'two-factor requirement',
  timeZone: 'time zone',
  vatNumber: 'VAT number',
  logo: 'logo',
};

/** `: name and logo`, where it is known. */
const about = (more: string): string => (more === '' ? '' : `: ${more}`);
const as = (role: string): string => (role === '' ? '' : ` as ${role}`);
const leads = (count: string): string => (count === '1' ? '1 lead' : `${count || 'some'} leads`);

/** What was done: an action without a sentence does not compile. */
const sentences: Readonly<Record<Action, (who: string, what: string, more: string) => string>> = {
  'organization.created': (who) => `${who} created the organization`,
  'organization.updated': (who, _what, more) => `${who} changed the organization${about(more)}`,
  'organization.deleted': (who) => `${who} deleted the organization`,
  'organization.restored': (who) => `${who} restored the organization`,
  'organization.ownership-transferred': (who, what) => `${who} made ${what} the owner`,
  'member.added': (who, what, more) => `${who} added ${what}${as(more)}`,
  'member.role-changed': (who, what, more) =>
    more === '' ? `${who} changed the role of ${what}` : `${who} made ${what} ${more}`,
  'member.removed': (who, what) => `${who} removed ${what}`,
  'member.left': (who) => `${who} left the organization`,
  'invitation.created': (who, what, more) => `${who} invited ${what}${as(more)}`,
  'invitation.accepted': (who, _what, more) => `${who} accepted an invitation${as(more)}`,
  'invitation.rejected': (_who, what) => `The invitation of ${what} was declined`,
  'invitation.revoked': (who, what) => `${who} withdrew the invitation of ${what}`,
  'user.created': (who, what) => `${who} created an account for ${what}`,
  'user.updated': (who, what) => `${who} changed the name of ${what}`,
  'user.disabled': (who, what) => `${who} disabled the account of ${what}`,
  'user.enabled': (who, what) => `${who} enabled the account of ${what}`,
  'user.erased': (who, what) => `${who} deleted the account of ${what}`,
  'two-factor.reset': (who, what) => `${who} reset the two-factor authentication of ${what}`,
  'lead.created': (who, what) => `${who} added the lead ${what}`,
  'lead.updated': (who, what, more) => `${who} changed the lead ${what}${about(more)}`,
  'lead.deleted': (who, what) => `${who} deleted the lead ${what}`,
  'lead.restored': (who, what) => `${who} restored the lead ${what}`,
  'lead.erased': (who) => `${who} erased a lead for good`,
  'lead.purged': (who, _what, more) => `${who} erased ${leads(more)} for good that were deleted long ago`,
  'lead.imported': (who, _what, more) => `${who} imported ${leads(more)}`,
  'customer.updated': (who, what, more) => `${who} changed the customer ${what}${about(more)}`,
  'customer.erased': (who) => `${who} erased a customer for good`,
  'quote.created': (who, what) => `${who} wrote the quote ${what}`,
  'quote.updated': (who, what, more) => `${who} changed the quote ${what}${about(more)}`,
  'quote.deleted': (who, what) => `${who} deleted the quote ${what}`,
  'quote.sent': (who, what) => `${who} sent the quote ${what}`,
  'quote.resent': (who, what) => `${who} sent the quote ${what} again`,
  'quote.accepted': (who, what) => `${who} accepted the quote ${what}`,
  'quote.rejected': (who, what) => `${who} declined the quote ${what}`,
  'quote.revised': (who, what) => `${who} revised the quote ${what}`,
  'quote.duplicated': (who, what) => `${who} duplicated the quote ${what}`,
  'contract.created': (who, what) => `${who} made a contract of the quote ${what}`,
  'work-package.added': (who, what) => `${who} added a work package to the quote ${what}`,
  'work-package.updated': (who, what) => `${who} changed a work package of the quote ${what}`,
  'work-package.removed': (who, what) => `${who} removed a work package from the quote ${what}`,
  'work-package.reordered': (who, what) => `${who} reordered the work packages of the quote ${what}`,
  'line-item.added': (who, what) => `${who} added a line to the quote ${what}`,
  'line-item.updated': (who, what) => `${who} changed a line of the quote ${what}`,
  'line-item.removed': (who, what) => `${who} removed a line from the quote ${what}`,
  'line-item.reordered': (who, what) => `${who} reordered the lines of the quote ${what}`,
};

/** What is said about what happens in an organization: other languages say the same. */
export const words = {
  title: 'Activity',
  filter: {
    label: 'Filter',
    person: 'Person',
    everybody: 'Everybody',
    kind: 'Kind',
    kinds: { all: 'Everything', organization: 'People and organization', leads: 'Leads', quotes: 'Quotes' },
    from: 'From',
    to: 'To',
    clear: 'Show everything',
  },
  sentences,
  /** Fields that change. */
  fields,
  /** What somebody is made. */
  roles: { owner: 'an owner', admin: 'an admin', member: 'a member' },
  /** An action of a service that is newer than this page. */
  other: (who: string) => `${who} did something else`,
  actors: {
    unknown: 'Somebody',
    gone: 'Somebody who is gone',
    job: 'Tenantry',
    customer: 'A customer',
  },
  things: {
    user: 'somebody',
    invitation: 'somebody',
    organization: 'the organization',
    lead: 'that is gone',
    quote: 'that is gone',
    customer: 'that is gone',
    other: 'something',
  },
  list: 'What happened',
  empty: { title: 'Nothing has happened yet', text: 'Whatever you and your colleagues do is listed here.' },
  nothingFound: 'Nothing of this kind happened in this time.',
  partly: (kind: string) => `${kind}: what happened there is missing from the list.`,
  more: 'Show more',
};

/** The words about what happens in an organization in one language. */
export type OrganizationActivityWords = typeof words;
