import { ApiError } from '@tenantry/envelope';
import { ProviderFailure } from '../../sign-in/index.ts';

/** What comes of sign-ins. */
export const signInCodes = [
  'SIGNED_IN',
  'SECOND_FACTOR_ASKED',
  'LINKED',
  'ACCESS_DENIED',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_REFUSED',
  'CLIENT_REFUSED',
  'ISSUED_FOR_OTHERS',
  'SIGNATURE_INVALID',
  'ANSWER_INVALID',
  'TIMES_INVALID',
  'REPEATED',
  'SUBJECT_UNUSABLE',
  'GUEST_REFUSED',
  'EMAIL_MISSING',
  'EMAIL_NOT_VERIFIED',
  'DOMAIN_NOT_VERIFIED',
  'LINK_REQUIRED',
  'IDENTITY_IN_USE',
  'MEMBER_REMOVED',
  'INVALID_CREDENTIALS',
  'TWO_FACTOR_REQUIRED',
  'QUOTA_EXCEEDED',
  // anything else
  'REFUSED',
] as const;

/** What came of a sign-in, or of a request of a directory: each has a sentence in the console. */
export const arrivalCodes = [
  ...signInCodes,
  // of a directory
  'USER_CREATED',
  'USER_ADOPTED',
  'USER_CHANGED',
  'USER_DEACTIVATED',
  'USER_REACTIVATED',
  'USER_REMOVED',
  'USER_NAME_TAKEN',
  'LAST_OWNER',
  'OWNER_DISABLED',
  'GROUP_CREATED',
  'GROUP_CHANGED',
  'GROUP_REMOVED',
  'ROLES_TOO_MANY',
  'REQUEST_INVALID',
] as const;

/** One of {@link arrivalCodes}. */
export type ArrivalCode = (typeof arrivalCodes)[number];

/** What is wrong with the answer of an IdP, where its problem says more than that it was refused. */
const codeOfProblem: Readonly<Record<string, ArrivalCode>> = {
  invalid_client: 'CLIENT_REFUSED',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'CLIENT_REFUSED',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'ISSUED_FOR_OTHERS',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'ISSUED_FOR_OTHERS',
  'foreign-azp': 'ISSUED_FOR_OTHERS',
  OAUTH_KEY_SELECTION_FAILED: 'SIGNATURE_INVALID',
  OAUTH_INVALID_RESPONSE: 'ANSWER_INVALID',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'TIMES_INVALID',
  signature: 'SIGNATURE_INVALID',
  'foreign-issuer': 'ISSUED_FOR_OTHERS',
  'foreign-destination': 'ISSUED_FOR_OTHERS',
  'foreign-recipient': 'ISSUED_FOR_OTHERS',
  'foreign-audience': 'ISSUED_FOR_OTHERS',
  'foreign-request': 'ISSUED_FOR_OTHERS',
  'not-yet': 'TIMES_INVALID',
  expired: 'TIMES_INVALID',
  'no-end': 'TIMES_INVALID',
  'no-confirmation': 'ANSWER_INVALID',
  repeated: 'REPEATED',
  'unusable-identifier': 'SUBJECT_UNUSABLE',
  guest: 'GUEST_REFUSED',
};

const known = (code: string): ArrivalCode => arrivalCodes.find((one) => one === code) ?? 'REFUSED';

/** What belongs to no sign-in of the connection, or what a limit has refused. */
const unnoted: readonly string[] = ['INVALID_STATE', 'INVALID_TICKET', 'RATE_LIMITED'];

/** What to note of an error; undefined for one that is not noted. */
export function arrivalCodeOf(error: unknown): ArrivalCode | undefined {
  if (error instanceof ProviderFailure) return codeOfProblem[error.problem] ?? known(error.code);
  if (!(error instanceof ApiError) || unnoted.includes(error.code)) return undefined;
  return error.code === 'VALIDATION_ERROR' ? 'ANSWER_INVALID' : known(error.code);
}
