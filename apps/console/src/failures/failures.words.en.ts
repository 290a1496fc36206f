import type { api, ErrorCode, ReasonOf } from '@tenantry/client';
import type { DeviceReason } from './device-error.ts';

const signIn = 'Your session has ended. Sign in again.';
const later = 'The service cannot be reached right now. Try again in a moment.';
const again = 'That did not work. Try again.';
const ours = 'Something went wrong on our side. Try again, or send us the request id.';

const counted = (count: number, one: string, other: string): string =>
  `${count} ${count === 1 ? one : other}`;

/** The codes that reasons refine. */
type ReasonedCode = { [Code in ErrorCode]: ReasonOf<Code> extends never ? never : Code }[ErrorCode];

/** What a rule was about: a limit, a number of more findings, … */
export interface RuleParams {
  readonly limit?: number;
  readonly count?: number;
}

/** What happened and what to do: a new code without a sentence does not compile. */
const codes: Readonly<Record<ErrorCode, string>> = {
  ACCOUNT_LOCKED: 'Too many failed attempts: this is locked for a while.',
  ALREADY_MEMBER: 'This person is already a member of the organization.',
  CONFLICT: 'Something else changed at the same time. Try again.',
  CSRF_FAILED: again,
  DEADLINE_EXCEEDED: 'That took too long and was stopped. Try again.',
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first: follow the link that we sent you.',
  FORBIDDEN: 'Your role does not allow this. An admin of your organization can help.',
  HEADERS_TOO_LARGE: ours,
  IDEMPOTENCY_KEY_IN_USE: 'This is already being done. Wait a moment.',
  IDEMPOTENCY_KEY_REUSED: again,
  INSUFFICIENT_USER_AUTHENTICATION: 'Confirm that it is you, then try again.',
  INTERNAL: ours,
  INVALID_CHALLENGE: 'That took too long. Sign in again.',
  INVALID_CODE: 'This code is wrong or was used before. Wait for the next one.',
  INVALID_CREDENTIALS: 'The address or the password is wrong.',
  INVALID_KEY: 'This key does not work. Create another one.',
  INVALID_PASSKEY: 'This passkey did not work. Try again, or use another way.',
  INVALID_REFRESH_TOKEN: signIn,
  INVALID_TICKET: 'This sign-in has expired, or began on another device. Start again.',
  IDENTITY_IN_USE: 'This account is already linked.',
  TOO_MANY_IDENTITIES: 'You have linked as many accounts as you can. Unlink one first.',
  EMAIL_MISSING: 'The provider sent no e-mail address. Sign in another way.',
  INVALID_TOKEN: 'This link is no longer valid. Request a new one.',
  INVALID_TRANSITION: 'This change of status is not possible.',
  LAST_OWNER: 'An organization needs an owner. Make someone else an owner first.',
  LAST_WAY_IN: 'This is the last way to sign in to your account. Add another one first.',
  LETTERS_WITHOUT_FONT: 'The quote has characters that its PDF cannot show.',
  NOT_FOUND: 'This does not exist or was deleted.',
  NO_ACTIVE_ORGANIZATION: 'Choose one of your organizations first.',
  OFFLINE: 'You are offline. Check your connection, then try again.',
  OPENED_ELSEWHERE: 'This sign-in began on another device. Open the link or enter the code there.',
  ORGANIZATION_CHANGED: 'Another organization is active now, in another tab.',
  ORIGIN_NOT_ALLOWED: 'Requests from this origin are not allowed. Ask your operator to allow it.',
  OTHER_ACCOUNT: 'This link belongs to another account. Sign in to that one first.',
  PASSKEY_REQUIRED: 'You have no passkey here. Add one first.',
  PAYLOAD_TOO_LARGE: 'This is too large.',
  PRECONDITION_FAILED: 'Someone else changed this since you opened it.',
  QUOTA_EXCEEDED:
    'Your organization has reached its storage quota. Permanently delete what you no longer need, or ask your operator for more.',
  QUOTE_EXPIRED: 'The quote has expired. Revise it to offer it again.',
  QUOTE_TOO_LARGE: 'The quote has too much text to open.',
  QUOTE_TOO_LARGE_FOR_PDF: 'The quote is too large for a PDF.',
  RATE_LIMITED: 'Too many attempts.',
  REQUEST_TIMEOUT: 'The connection is too slow. Try again.',
  SESSION_ADDRESS_CHANGED: 'Your session belongs to another network. Confirm that it is you.',
  SIGN_IN_REQUIRED: 'For this, sign in with your own password or passkey.',
  SIGN_UP_CLOSED: 'You need an invitation to sign up. Ask a colleague to invite you.',
  SLUG_TAKEN: 'Another organization has this address. Choose another.',
  TOO_MANY_PASSKEYS: 'You have 20 passkeys. Remove one that you do not use.',
  TWO_FACTOR_ALREADY_ENABLED: 'Two-factor authentication is already on.',
  TWO_FACTOR_NOT_ENABLED: 'Two-factor authentication is off, or its set-up took too long. Start again.',
  TWO_FACTOR_REQUIRED:
    'This organization requires two-factor authentication. Turn it on for your account first.',
  UNAUTHENTICATED: signIn,
  UNREADABLE_ANSWER: later,
  UNSUPPORTED_MEDIA_TYPE: 'This kind of file is not accepted.',
  UPSTREAM_UNAVAILABLE: later,
  USER_ALREADY_EXISTS: 'This address already has an account. Sign in instead.',
  USER_REQUIRED: 'This needs a signed-in user: a key of a service account cannot do it.',
  VALIDATION_ERROR: 'Some fields are not valid. See below.',
};

/** What this browser, or a device such as a security key, refused. */
const device: Readonly<Record<DeviceReason, string>> = {
  ALREADY_REGISTERED: 'This device already has a passkey for your account. Use that one, or another device.',
  NOT_ALLOWED:
    'No passkey was used: it was cancelled, or there is none on this device. Try again, or use another way.',
  TIMED_OUT: 'No passkey was used in time. Try again.',
  NOT_VERIFIED:
    'This device cannot check that it is you. Set up a PIN, a fingerprint or face recognition on it, or use another device.',
  NOT_SUPPORTED: 'This device or security key cannot be used for passkeys. Use another one.',
  OTHER_SITE: 'Passkeys cannot be used at this address. Open the page at its usual address.',
  FAILED: 'The device could not do that. Try again, or use another one.',
};

/** In place of the sentence of the code, where advice differs. */
const reasons: { readonly [Code in ReasonedCode]: Readonly<Record<ReasonOf<Code>, string>> } = {
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
  },
  FORBIDDEN: {
    ACCOUNT_SHARED: 'This account also belongs to other organizations. Remove the member instead.',
    ACCOUNT_DISABLED_ELSEWHERE: 'Your organization did not disable this account, so it cannot enable it.',
    OWN_ACCOUNT: 'You cannot do this to your own account.',
    ACCOUNT_OF_ANOTHER: 'You can change only your own account.',
    ROLE_TOO_HIGH: 'You cannot grant a role above your own.',
    ORGANIZATION_NOT_ACTIVE: 'This belongs to another organization. Switch to it first.',
  },
  INSUFFICIENT_USER_AUTHENTICATION: {
    SECOND_FACTOR_REQUIRED: 'Confirm that it is you with a code or a passkey.',
    PASSWORD_REQUIRED: 'Confirm that it is you with your password.',
    SIGN_IN_REQUIRED: 'Confirm that it is you by signing in again.',
  },
  INVALID_TOKEN: {
    INVITATION_ACCEPTED: 'This invitation was already accepted.',
    INVITATION_REJECTED: 'This invitation was declined.',
    INVITATION_WITHDRAWN: 'This invitation was withdrawn. Ask for a new one.',
    INVITATION_REPLACED: 'A newer invitation has replaced this one. Use the latest one.',
    INVITATION_EXPIRED: 'This invitation has expired. Ask for a new one.',
    INVITATION_OF_ANOTHER: 'This invitation was sent to another address.',
  },
  INVALID_PASSKEY: { USER_NOT_VERIFIED: device.NOT_VERIFIED },
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
    OWNER_UNCONFIRMED:
      'Your organization has reached the storage quota that it has until an owner confirms their e-mail address. Confirm it, or permanently delete what you no longer need.',
  },
  LAST_WAY_IN: {
    CARRIES_TWO_FACTOR:
      'Your two-factor authentication depends on this passkey. Add another passkey first, or turn it off.',
  },
  UNAUTHENTICATED: {
    TOKEN_MISSING: 'You are not signed in.',
    TOKEN_MALFORMED: signIn,
    TOKEN_TOO_LARGE: signIn,
    TOKEN_ALGORITHM_REFUSED: signIn,
    TOKEN_EXTENSION_REFUSED: signIn,
    TOKEN_TYPE_REFUSED: signIn,
    TOKEN_KEY_UNKNOWN: signIn,
    TOKEN_SIGNATURE_INVALID: signIn,
    TOKEN_CLAIM_INVALID: signIn,
    TOKEN_NOT_YET_VALID: signIn,
    TOKEN_EXPIRED: signIn,
    TOKEN_REVOKED: signIn,
    SESSION_ENDED: signIn,
    SESSION_ELSEWHERE: 'Your session was used on another device, so it was ended. Sign in again.',
  },
  UPSTREAM_UNAVAILABLE: { KEYS_UNAVAILABLE: later, CLOCK_AHEAD: later, REVOCATIONS_UNAVAILABLE: later },
};

/** What is wrong with a field, to stand below it. */
const rules: Readonly<Record<api.ErrorDetail['rule'], (params: RuleParams) => string>> = {
  required: () => 'Fill this in.',
  additionalProperties: () => 'This field is unknown.',
  type: () => 'This has the wrong format.',
  enum: () => 'Choose one of the options.',
  const: () => 'This is not accepted.',
  format: () => 'This does not look right. Check it.',
  localPart: () =>
    'Before the @, an address may only have the letters a to z, digits and signs, without accents.',
  pattern: () => 'This has characters that are not allowed, or too few.',
  text: () => 'This has characters that cannot be shown.',
  storable: () => 'This has characters that cannot be saved.',
  minLength: ({ limit = 1 }) =>
    limit === 1 ? 'Fill this in.' : `Use at least ${counted(limit, 'character', 'characters')}.`,
  maxLength: ({ limit = 0 }) => `Use at most ${counted(limit, 'character', 'characters')}.`,
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
  more: ({ count = 0 }) => `${counted(count, 'more problem', 'more problems')}.`,
  wellFormed: () => 'This cannot be read.',
  columns: () => 'The columns do not match.',
  range: () => 'The end is before the start.',
  order: () => 'List each one once.',
  known: () => 'This is not known.',
  allowed: () => 'This is not allowed here.',
  valid: () => 'This is no longer valid.',
  unique: () => 'This is already taken.',
  transition: () => 'This change of status is not possible.',
  credential: () => 'This is wrong.',
  recent: () => 'Confirm that it is you.',
  common: () => 'This password is too common. Choose another.',
  personal: () => 'This is too close to your name or address. Choose another.',
  lastOwner: () => 'There is no other owner.',
  image: () => 'This picture cannot be used. Choose a PNG, JPEG or WebP that is whole and not animated.',
  language: () => 'This language is unknown.',
  timeZone: () => 'This time zone is unknown.',
  country: () => 'This country is unknown.',
  currency: () => 'This currency is unknown.',
  vatNumber: () => 'This is not a VAT number of that country.',
  vatExemption: () => 'An exemption needs a rate of 0.',
  lineTotal: () => 'The line is too large.',
  quoteTotal: () => 'The quote is too large.',
  quota: () => 'There is no room for this in the storage quota of your organization.',
  quoteText: () => 'All texts of the quote together are too long. Shorten some.',
  supported: () => 'This is not supported here.',
};

/** What is said about failures: other languages say the same. */
export const words = {
  codes,
  reasons,
  device,
  rules,
  /** A refusal that names no field. */
  notAccepted: 'This was not accepted. Check what you entered.',
  /** When to try again, counted down. */
  wait: (seconds: number) =>
    seconds < 60
      ? `Try again in ${counted(seconds, 'second', 'seconds')}.`
      : `Try again in ${counted(Math.ceil(seconds / 60), 'minute', 'minutes')}.`,
  /** Any error that is not the API's: a defect of the console. */
  defect: 'Something went wrong on this page. Reload it.',
  notFound: { title: 'Page not found', text: 'There is no page at this address.', home: 'Go to Home' },
  failed: 'This could not be loaded',
  tryAgain: 'Try again',
  requestId: 'Request id',
  copy: 'Copy',
  copied: 'Copied',
  uncopied: 'Copy it by hand',
  loading: 'Loading',
  offline: 'You are offline. You can still read what is open.',
  unreached: 'You are offline. This appears as soon as you are connected.',
};

/** The words about failures in one language. */
export type FailureWords = typeof words;
