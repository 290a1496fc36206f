import type { api } from '@tenantry/client';

const codes: Readonly<Record<api.Arrival['code'], string>> = {
  SIGNED_IN: 'Signed in.',
  SECOND_FACTOR_ASKED: 'Was asked for the second factor of the account.',
  LINKED: 'An owner linked this account.',
  ACCESS_DENIED: 'The sign-in was cancelled, or the identity provider does not let this person use Tenantry.',
  PROVIDER_UNAVAILABLE: 'The identity provider did not answer, or not in time.',
  PROVIDER_REFUSED: 'The identity provider refused, or its answer could not be used.',
  CLIENT_REFUSED: 'The identity provider does not know our client id, or the client secret is wrong.',
  ISSUED_FOR_OTHERS: 'The answer was for another service, another address or another sign-in.',
  SIGNATURE_INVALID: 'The answer was not signed with a key or certificate that is known here.',
  ANSWER_INVALID: 'The answer was not in the form that is needed, or its signature was wrong.',
  TIMES_INVALID: 'The answer was too old, or is valid only later. Compare the clocks.',
  REPEATED: 'The answer had been used before.',
  SUBJECT_UNUSABLE: 'The identity provider gave no identifier that can be used.',
  GUEST_REFUSED: 'This person is a guest there. Only your own people are let in.',
  EMAIL_MISSING: 'The identity provider gave no e-mail address.',
  EMAIL_NOT_VERIFIED: 'The address is not verified, there or at the account that has it here.',
  DOMAIN_NOT_VERIFIED: 'The address is in none of your verified domains.',
  LINK_REQUIRED: 'This is an owner, who has not linked the account.',
  IDENTITY_IN_USE: 'The account here is linked to somebody else at the identity provider.',
  MEMBER_REMOVED: 'This person was removed from the organization. Invite them to let them in.',
  INVALID_CREDENTIALS: 'The account is disabled, or changed meanwhile.',
  TWO_FACTOR_REQUIRED: 'Your organization requires a second factor, which the sign-in did not have.',
  QUOTA_EXCEEDED: 'The organization has as many people as it may.',
  USER_CREATED: 'An account was made.',
  USER_ADOPTED: 'An existing account was taken over.',
  USER_CHANGED: 'The person was changed.',
  USER_DEACTIVATED: 'Access was ended.',
  USER_REACTIVATED: 'Access was given back.',
  USER_REMOVED: 'The person was removed.',
  USER_NAME_TAKEN: 'The name or address is taken.',
  OWNER_DISABLED:
    'This is an owner whose account is disabled. Another owner enables it, on the page of members.',
  LAST_OWNER: 'This is the last owner, who stays.',
  GROUP_CREATED: 'A group was added.',
  GROUP_CHANGED: 'A group was changed, or who is in it.',
  GROUP_REMOVED: 'A group was removed.',
  ROLES_TOO_MANY: 'It would have changed the roles of too many people at once.',
  REQUEST_INVALID: 'The request was not in the form that is needed.',
  REFUSED: 'It was refused.',
};

/** What is said about what arrived: other languages say the same. */
export const words = {
  title: 'What arrived',
  about:
    'The last sign-ins through your identity provider, and what its directory sent. New ones appear by themselves.',
  none: 'Nothing has arrived yet.',
  list: 'What arrived, newest first',
  nobody: 'No address',
  more: (count: number) => `Show ${count} more`,
  kinds: { 'sign-in': 'Sign-in', directory: 'Directory' },
  codes,
};

/** The words for what arrived, in one language. */
export type ArrivalWords = typeof words;
