import type { api, ErrorCode, ReasonOf } from '@tenantry/client';
import type { DeviceReason } from './device-error.ts';

const signIn = 'Your session has ended. Sign in again.';
const later = 'The service cannot be reached right now. Try again in a moment.';
export const again = 'That did not work. Try again.';
const ours = 'Something went wrong on our side. Try again, or send us the request id.';

export const counted = (count: number, one: string, other: string): string =>
  `${count} ${count === 1 ? one : other}`;

/** The codes that reasons refine. */
export type ReasonedCode = { [Code in ErrorCode]: ReasonOf<Code> extends never ? never : Code }[ErrorCode];

/** What a rule was about: a limit, a number of more findings, … */
export interface RuleParams {
  readonly limit?: number;
  readonly count?: number;
  readonly kind?: string;
}

/** What happened and what to do; the sentences for the other codes are loaded once somebody is signed in. */
const codes = {
  ACCOUNT_LOCKED: 'Too many failed attempts: this is locked for a while.',
  CSRF_FAILED: again,
  DEADLINE_EXCEEDED: 'That took too long and was stopped. Try again.',
  EMAIL_NOT_VERIFIED: 'Confirm your e-mail address first: follow the link that we sent you.',
  HEADERS_TOO_LARGE: ours,
  INSUFFICIENT_USER_AUTHENTICATION: 'Confirm that it is you, then try again.',
  INTERNAL: ours,
  INVALID_CHALLENGE: 'That took too long. Sign in again.',
  INVALID_CODE: 'This code is wrong or was used before. Wait for the next one.',
  INVALID_CREDENTIALS: 'The address or the password is wrong.',
  INVALID_PASSKEY: 'This passkey did not work. Try again, or use another way.',
  INVALID_REFRESH_TOKEN: signIn,
  INVALID_TICKET: 'This sign-in has expired, or began on another device. Start again.',
  EMAIL_MISSING: 'The provider sent no e-mail address. Sign in another way.',
  INVALID_TOKEN: 'This link is no longer valid. Request a new one.',
  NOT_FOUND: 'This does not exist or was deleted.',
  OFFLINE: 'You are offline. Check your connection, then try again.',
  OPENED_ELSEWHERE: 'This sign-in began on another device. Open the link or enter the code there.',
  ORIGIN_NOT_ALLOWED: 'Requests from this origin are not allowed. Ask your operator to allow it.',
  RATE_LIMITED: 'Too many attempts.',
  REQUEST_TIMEOUT: 'The connection is too slow. Try again.',
  SESSION_ADDRESS_CHANGED: 'Your session belongs to another network. Confirm that it is you.',
  SIGN_UP_CLOSED: 'You need an invitation to sign up. Ask a colleague to invite you.',
  UNAUTHENTICATED: signIn,
  UNREADABLE_ANSWER: later,
  UPSTREAM_UNAVAILABLE: later,
  USER_ALREADY_EXISTS: 'This address already has an account. Sign in instead.',
  VALIDATION_ERROR: 'Some fields are not valid. See below.',
} satisfies Partial<Record<ErrorCode, string>>;

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
const reasons = {
  INSUFFICIENT_USER_AUTHENTICATION: {
    SECOND_FACTOR_REQUIRED: 'Confirm that it is you with a code or a passkey.',
    PASSWORD_REQUIRED: 'Confirm that it is you with your password.',
    SIGN_IN_REQUIRED: 'Confirm that it is you by signing in again.',
  },
  INVALID_PASSKEY: { USER_NOT_VERIFIED: device.NOT_VERIFIED },
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
} satisfies { readonly [Code in ReasonedCode]?: Readonly<Record<ReasonOf<Code>, string>> };

/** What is wrong with a field, to stand below it. */
const rules = {
  required: () => 'Fill this in.',
  type: () => 'This has the wrong format.',
  format: () => 'This does not look right. Check it.',
  localPart: () =>
    'Before the @, an address may only have the letters a to z, digits and signs, without accents.',
  pattern: () => 'This has characters that are not allowed, or too few.',
  text: () => 'This has characters that cannot be shown.',
  storable: () => 'This has characters that cannot be saved.',
  minLength: ({ limit = 1 }) =>
    limit === 1 ? 'Fill this in.' : `Use at least ${counted(limit, 'character', 'characters')}.`,
  maxLength: ({ limit = 0 }) => `Use at most ${counted(limit, 'character', 'characters')}.`,
  more: ({ count = 0 }) => `${counted(count, 'more problem', 'more problems')}.`,
  wellFormed: () => 'This cannot be read.',
  credential: () => 'This is wrong.',
  recent: () => 'Confirm that it is you.',
  common: () => 'This password is too common. Choose another.',
  personal: () => 'This is too close to your name or address. Choose another.',
} satisfies Partial<Record<api.ErrorDetail['rule'], (params: RuleParams) => string>>;

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
