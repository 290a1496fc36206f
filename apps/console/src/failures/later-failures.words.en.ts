import type { api, ErrorCode, ReasonOf } from '@tenantry/client';
import {
  again,
  counted,
  type FailureWords,
  type ReasonedCode,
  type RuleParams,
} from './failures.words.en.ts';

/** What happened and what to do: a new code without a sentence does not compile. */
const codes: Readonly<Record<Exclude<ErrorCode, keyof FailureWords['codes']>, string>> = {
  ALREADY_MEMBER: 'This person is already a member of the organization.',
  CONFLICT: 'Something else changed at the same time. Try again.',
  DOMAIN_NOT_VERIFIED: 'The domain is not proven yet. Check its record.',
  DOMAIN_TAKEN: 'Another organization has proven this domain. It has to delete it first.',
  FORBIDDEN: 'Your role does not allow this. An admin of your organization can help.',
  IDEMPOTENCY_KEY_IN_USE: 'This is already being done. Wait a moment.',
  IDEMPOTENCY_KEY_REUSED: again,
  INVALID_KEY: 'This key does not work. Create another one.',
  IDENTITY_IN_USE: 'This account is already linked.',
  TOO_MANY_IDENTITIES: 'You have linked as many accounts as you can. Unlink one first.',
  INVALID_TRANSITION: 'This change of status is not possible.',
  LAST_OWNER: 'An organization needs an owner. Make someone else an owner first.',
  LAST_WAY_IN: 'This is the last way to sign in to your account. Add another one first.',
  LETTERS_WITHOUT_FONT: 'The quote has characters that its PDF cannot show.',
  NO_ACTIVE_ORGANIZATION: 'Choose one of your organizations first.',
  ORGANIZATION_CHANGED: 'Another organization is active now, in another tab.',
  SSO_REQUIRED: 'This organization wants you to sign in through it. Continue with your organization.',
  LINK_REQUIRED: 'You own this organization. Sign in with two factors, and link single sign-on first.',
  MEMBER_REMOVED: 'The organization has removed you. Ask it for an invitation.',
  OTHER_ACCOUNT: 'This link belongs to another account. Sign in to that one first.',
  PASSKEY_REQUIRED: 'You have no passkey here. Add one first.',
  PAYLOAD_TOO_LARGE: 'This is too large.',
  PRECONDITION_FAILED: 'Someone else changed this since you opened it.',
  QUOTA_EXCEEDED:
    'Your organization has reached its storage quota. Permanently delete what you no longer need, or ask your operator for more.',
  QUOTE_EXPIRED: 'The quote has expired. Revise it to offer it again.',
  QUOTE_TOO_LARGE: 'The quote has too much text to open.',
  QUOTE_TOO_LARGE_FOR_PDF: 'The quote is too large for a PDF.',
  SIGN_IN_REQUIRED:
    'You signed in through your organization. For this, sign in with your own password or passkey.',
  SLUG_TAKEN: 'Another organization has this address. Choose another.',
  TOO_MANY_PASSKEYS: 'You have 20 passkeys. Remove one that you do not use.',
  TWO_FACTOR_ALREADY_ENABLED: 'Two-factor authentication is already on.',
  TWO_FACTOR_NOT_ENABLED: 'Two-factor authentication is off, or its set-up took too long. Start again.',
  TWO_FACTOR_REQUIRED:
    'This organization requires two-factor authentication. Turn it on for your account first.',
  UNSUPPORTED_MEDIA_TYPE: 'This kind of file is not accepted.',
  USER_REQUIRED: 'This needs a signed-in user: a key of a service account cannot do it.',
};

/** In place of the sentence of the code, where advice differs. */
const reasons: {
  readonly [Code in Exclude<ReasonedCode, keyof FailureWords['reasons']>]: Readonly<
    Record<ReasonOf<Code>, string>
  >;
} = {
  CONFLICT: {
    CONCURRENT_CHANGE: 'Something else changed at the same time. Try again.',
    NOT_UNIQUE: 'This already exists.',
    JOINED_MEANWHILE: 'You joined an organization at the same time. Try again.',
    ONLY_OWNER: 'This is the only owner. Make someone else an owner first.',
    QUOTE_SENT: 'A sent quote cannot be changed. Revise it instead.',
    QUOTE_NOT_SENT: 'The quote is a draft. Send it first.',
    QUOTE_NOT_ACCEPTED: 'Only an accepted quote can become a contract.',
    QUOTE_NOT_REVISABLE: 'Only a quote that was sent or rejected can be revised.',
    QUOTE_SUPERSEDED: 'A newer revision has replaced this quote.',
    CURRENCY_FIXED: 'The currency cannot change while the quote has lines. Delete them first.',
    MAILED_TOO_OFTEN: 'The quote was mailed too many times. Revise it to send it again.',
    TOO_MANY_LINKS: 'The quote has the maximum number of links. Use one of them.',
    CUSTOMER_ERASED: 'This customer was erased. You cannot create or send anything for it.',
    NOT_RESTORABLE: 'This organization can no longer be restored.',
    CONNECTION_INCOMPLETE: 'Enter what the identity provider gives first.',
    CERTIFICATES_ENDED: 'Every certificate of the identity provider has ended. Enter its new metadata first.',
    CONNECTION_ENABLED: 'Turn off the single sign-on that is on first.',
    SECOND_FACTOR_UNDECLARED:
      'The organization requires a second factor: confirm that the identity provider asks everybody for one.',
    CONNECTION_OFF: 'Turn on single sign-on first: it is what people will sign in by.',
    CONNECTION_UNTRIED:
      'Link your own account and sign in through the identity provider first. That counts for an hour.',
    SSO_STILL_REQUIRED: 'Single sign-on is required. Stop requiring it first.',
    TOO_MANY_ROLES: 'At most 200 people change roles at once. Change smaller groups, one at a time.',
  },
  FORBIDDEN: {
    ACCOUNT_SHARED: 'This account also belongs to other organizations. Remove the member instead.',
    ACCOUNT_DISABLED_ELSEWHERE: 'Your organization did not disable this account, so it cannot enable it.',
    OWN_ACCOUNT: 'You cannot do this to your own account.',
    ACCOUNT_OF_ANOTHER: 'You can change only your own account.',
    ROLE_TOO_HIGH: 'You cannot grant a role above your own.',
    ORGANIZATION_NOT_ACTIVE: 'This belongs to another organization. Switch to it first.',
  },
  INVALID_TOKEN: {
    INVITATION_ACCEPTED: 'This invitation was already accepted.',
    INVITATION_REJECTED: 'This invitation was declined.',
    INVITATION_WITHDRAWN: 'This invitation was withdrawn. Ask for a new one.',
    INVITATION_REPLACED: 'A newer invitation has replaced this one. Use the latest one.',
    INVITATION_EXPIRED: 'This invitation has expired. Ask for a new one.',
    INVITATION_OF_ANOTHER: 'This invitation was sent to another address.',
  },
  QUOTA_EXCEEDED: {
    ORGANIZATIONS:
      'Your account belongs to as many organizations as it may. Leave one, or ask your operator for more. A deleted one counts until its data is gone.',
    ORGANIZATIONS_UNCONFIRMED:
      'Your account belongs to as many organizations as it may until you confirm your e-mail address. Confirm it, or leave one.',
    PEOPLE:
      'Your organization has as many members and open invitations as it may. Remove members, withdraw invitations, or ask your operator for more.',
    PEOPLE_UNCONFIRMED:
      'Your organization has as many members and open invitations as it may until an owner confirms their e-mail address. Confirm it, remove members, or withdraw invitations.',
    SERVICE_ACCOUNTS: 'Your organization has 20 service accounts. Delete one that you no longer need.',
    API_KEYS: 'This service account has five keys. Delete one that you no longer need.',
    DIRECTORY_TOKENS: 'This directory has two tokens. Delete the one that it no longer uses.',
    CONNECTIONS: 'Your organization has five connections. Delete one that you no longer need.',
    DOMAINS: 'Your organization has 20 domains. Delete one that you no longer need.',
    OWNER_UNCONFIRMED:
      'Your organization has reached the storage quota that it has until an owner confirms their e-mail address. Confirm it, or permanently delete what you no longer need.',
  },
  DOMAIN_NOT_VERIFIED: {
    RECORD_MISSING: 'The record was not found. A new one can take an hour to be seen. Check again later.',
    RECORD_DIFFERENT: 'There is a record of this name with another value. Compare the two.',
    NO_DOMAIN: 'Prove a domain of your organization first.',
    RECORD_UNREADABLE: 'The name servers of the domain did not answer. Check again later.',
  },
  LAST_WAY_IN: {
    CARRIES_TWO_FACTOR:
      'Your two-factor authentication depends on this passkey. Add another passkey first, or turn it off.',
  },
};

/** Why a file was not read, by what it is. */
const files: Readonly<Record<string, string>> = {
  empty: 'This file has no rows.',
  pdf: 'This is a PDF. Export the table as CSV or as an Excel workbook (.xlsx).',
  document: 'This is a Word document. Save its table in an Excel workbook (.xlsx) or as CSV.',
  presentation: 'This is a presentation. Save its table in an Excel workbook (.xlsx) or as CSV.',
  openDocument: 'This is an OpenDocument file. Save it as an Excel workbook (.xlsx) or as CSV.',
  numbers: 'This is a Numbers file. Export it as CSV or as an Excel workbook (.xlsx).',
  archive: 'This is an archive. Unpack it, and choose the file in it.',
  password: 'This file is protected by a password. Save it without one.',
  oldWorkbook: 'This is an old kind of Excel workbook (.xls). Save it as .xlsx or as CSV.',
  binaryWorkbook: 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or as CSV.',
  webPage: 'This is a web page. Open it in a spreadsheet, and save it as .xlsx or as CSV.',
  image: 'This is a picture. Choose a file with a table.',
  binary: 'This is not a text file. Choose a file with a table.',
  json: 'This is JSON. Choose a CSV file or an Excel workbook (.xlsx).',
  damaged: 'This workbook is damaged. Open it in a spreadsheet, and save it again.',
  bomb: 'This file expands to more than a table would, so it was not read.',
  formulas: 'This workbook has formulas without results. Open it in a spreadsheet, and save it again.',
  columns: 'This file has more than 1,000 columns. Delete those that you do not need.',
  rowLength: 'A row of this file is very long. Probably a quotation mark is never closed.',
  noSheet: 'The workbook has no such sheet.',
  noHeader: 'No row begins in the line of the column names.',
  cards: 'A contact card cannot be read. Export the contacts again as vCard 3.0 or 4.0, or as CSV.',
};

/** What is wrong with a field, to stand below it. */
const rules: Readonly<
  Record<Exclude<api.ErrorDetail['rule'], keyof FailureWords['rules']>, (params: RuleParams) => string>
> = {
  additionalProperties: () => 'This field is unknown.',
  enum: () => 'Choose one of the options.',
  const: () => 'This is not accepted.',
  minimum: ({ limit = 0 }) => `At least ${limit}.`,
  maximum: ({ limit = 0 }) => `At most ${limit}.`,
  exclusiveMinimum: ({ limit = 0 }) => `More than ${limit}.`,
  exclusiveMaximum: ({ limit = 0 }) => `Less than ${limit}.`,
  decimals: ({ limit = 0 }) => `At most ${counted(limit, 'decimal', 'decimals')}.`,
  minItems: ({ limit = 0 }) => `At least ${limit}.`,
  maxItems: ({ limit = 0 }) => `At most ${limit}.`,
  uniqueItems: () => 'This is a duplicate.',
  minProperties: () => 'Change something first.',
  maxProperties: ({ limit = 0 }) => `At most ${limit}.`,
  anyOf: () => 'This has the wrong format.',
  oneOf: () => 'This has the wrong format.',
  not: () => 'This is not accepted.',
  columns: () => 'The columns do not match.',
  file: ({ kind = '' }) => files[kind] ?? 'This file cannot be read.',
  range: () => 'The end is before the start.',
  order: () => 'List each one once.',
  known: () => 'This is not known.',
  allowed: () => 'This is not allowed here.',
  valid: () => 'This is no longer valid.',
  unique: () => 'This is already taken.',
  transition: () => 'This change of status is not possible.',
  lastOwner: () => 'There is no other owner.',
  image: () => 'This picture cannot be used. Choose a PNG, JPEG or WebP that is whole and not animated.',
  language: () => 'This language is unknown.',
  timeZone: () => 'This time zone is unknown.',
  country: () => 'This country is unknown.',
  currency: () => 'This currency is unknown.',
  vatNumber: () => 'This is not a VAT number of that country.',
  domain: () => 'This is not a domain. An example is company.com.',
  publicSuffix: () => 'Anyone can register a domain below this one. Enter your own.',
  freeMail: () => 'Anyone can get an address in this domain. Enter one of your own.',
  vatExemption: () => 'An exemption needs a rate of 0.',
  lineTotal: () => 'The line is too large.',
  quoteTotal: () => 'The quote is too large.',
  quota: () => 'There is no room for this in the storage quota of your organization.',
  quoteText: () => 'All texts of the quote together are too long. Shorten some.',
  supported: () => 'This is not supported here.',
};

/** What is said about failures that people meet once they are signed in: other languages say the same. */
export const words = { codes, reasons, rules };

/** The words about these failures in one language. */
export type LaterFailureWords = typeof words;
