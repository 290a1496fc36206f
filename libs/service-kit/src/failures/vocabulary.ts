import type { AccessError } from '@tenantry/jwt-verify';
import type { Refusal } from '@tenantry/envelope';

/** The reasons for refusing a token, as in jwt-verify. */
const tokenReasons = [
  'TOKEN_MISSING',
  'TOKEN_MALFORMED',
  'TOKEN_TOO_LARGE',
  'TOKEN_ALGORITHM_REFUSED',
  'TOKEN_EXTENSION_REFUSED',
  'TOKEN_TYPE_REFUSED',
  'TOKEN_KEY_UNKNOWN',
  'TOKEN_SIGNATURE_INVALID',
  'TOKEN_CLAIM_INVALID',
  'TOKEN_NOT_YET_VALID',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
] as const satisfies readonly AccessError['reason'][];

/**
 * The reasons that refine a code, by the code; others have none. They are part of the published interface: clients have a
 * message for each, so a service that uses any other does not boot.
 */
export const reasonsByCode = {
  UNAUTHENTICATED: [...tokenReasons, 'SESSION_ENDED', 'SESSION_ELSEWHERE'],
  INSUFFICIENT_USER_AUTHENTICATION: ['SECOND_FACTOR_REQUIRED', 'PASSWORD_REQUIRED', 'SIGN_IN_REQUIRED'],
  UPSTREAM_UNAVAILABLE: ['KEYS_UNAVAILABLE', 'CLOCK_AHEAD', 'REVOCATIONS_UNAVAILABLE'],
  FORBIDDEN: [
    'ACCOUNT_SHARED',
    'ACCOUNT_DISABLED_ELSEWHERE',
    'OWN_ACCOUNT',
    'ACCOUNT_OF_ANOTHER',
    'ROLE_TOO_HIGH',
    'ORGANIZATION_NOT_ACTIVE',
  ],
  INVALID_TOKEN: [
    'INVITATION_ACCEPTED',
    'INVITATION_REJECTED',
    'INVITATION_WITHDRAWN',
    'INVITATION_REPLACED',
    'INVITATION_EXPIRED',
    'INVITATION_OF_ANOTHER',
  ],
  INVALID_PASSKEY: ['USER_NOT_VERIFIED'],
  LAST_WAY_IN: ['CARRIES_TWO_FACTOR'],
  QUOTA_EXCEEDED: [
    'OWNER_UNCONFIRMED',
    'ORGANIZATIONS',
    'ORGANIZATIONS_UNCONFIRMED',
    'PEOPLE',
    'PEOPLE_UNCONFIRMED',
  ],
  CONFLICT: [
    'CONCURRENT_CHANGE',
    'NOT_UNIQUE',
    'JOINED_MEANWHILE',
    'ONLY_OWNER',
    'QUOTE_SENT',
    'QUOTE_NOT_SENT',
    'QUOTE_NOT_ACCEPTED',
    'QUOTE_NOT_REVISABLE',
    'QUOTE_SUPERSEDED',
    'CURRENCY_FIXED',
    'MAILED_TOO_OFTEN',
    'TOO_MANY_LINKS',
    'CUSTOMER_ERASED',
    'NOT_RESTORABLE',
  ],
} as const;

/** A reason of a code. */
export type ReasonOf<Code extends keyof typeof reasonsByCode> = (typeof reasonsByCode)[Code][number];

/** The reasons of a code; none for one that has a single cause. */
export const reasonsOf = (code: string): readonly string[] =>
  (reasonsByCode as Readonly<Record<string, readonly string[]>>)[code] ?? [];

/**
 * The rules of findings: keywords of JSON Schema, and those that services check themselves. Also part of the published
 * interface.
 */
export const rules: readonly string[] = [
  'required',
  'additionalProperties',
  'type',
  'enum',
  'const',
  'format',
  'localPart',
  'pattern',
  'text',
  'storable',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'decimals',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'anyOf',
  'oneOf',
  'not',
  'more',
  'wellFormed',
  'columns',
  'range',
  'order',
  'known',
  'allowed',
  'valid',
  'unique',
  'transition',
  'supported',
  'credential',
  'recent',
  'common',
  'personal',
  'lastOwner',
  'image',
  'language',
  'timeZone',
  'country',
  'currency',
  'vatNumber',
  'vatExemption',
  'lineTotal',
  'quoteTotal',
  'quoteText',
  'quota',
];

/** The first reason or rule of an error that clients do not know; undefined if they know all. */
export function unknownWordIn({ code, reason, details = [] }: Refusal): string | undefined {
  // This code alone says no more than the status.
  if (code === 'CONFLICT' && reason === undefined) return 'CONFLICT without a reason';
  if (reason !== undefined && !reasonsOf(code).includes(reason)) return `the reason ${reason} of ${code}`;
  const detail = details.find(({ rule }) => !rules.includes(rule));
  return detail && `the rule ${detail.rule}`;
}
