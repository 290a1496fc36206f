import { serviceReasons, serviceRules, type ServiceReason } from '@tenantry/contracts';
import type { Refusal } from '@tenantry/envelope';
import type { AccessError } from '@tenantry/jwt-verify';

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

/** The reasons that every service may have for a code. */
const sharedReasons = {
  UNAUTHENTICATED: [...tokenReasons, 'SESSION_ELSEWHERE'],
  INSUFFICIENT_USER_AUTHENTICATION: ['SECOND_FACTOR_REQUIRED', 'SIGN_IN_REQUIRED'],
  UPSTREAM_UNAVAILABLE: ['KEYS_UNAVAILABLE', 'CLOCK_AHEAD', 'REVOCATIONS_UNAVAILABLE'],
  FORBIDDEN: ['ORGANIZATION_NOT_ACTIVE'],
  QUOTA_EXCEEDED: ['OWNER_UNCONFIRMED'],
  CONFLICT: ['CONCURRENT_CHANGE', 'NOT_UNIQUE'],
} as const;

/** A reason of a code. */
export type ReasonOf<Code extends string> =
  | ServiceReason<Code>
  | (Code extends keyof typeof sharedReasons ? (typeof sharedReasons)[Code][number] : never);

/**
 * The reasons of a code; none for one that has a single cause. They are part of the published interface: clients have a message
 * for each, so a service that uses any other does not boot.
 */
export const reasonsOf = <Code extends string>(code: Code): readonly ReasonOf<Code>[] => {
  const shared = (sharedReasons as Readonly<Record<string, readonly string[]>>)[code] ?? [];
  return [...shared, ...serviceReasons(code)] as readonly string[] as readonly ReasonOf<Code>[];
};

/**
 * The rules of findings: keywords of JSON Schema, what several services check, and what each checks itself. Also part of the
 * published interface.
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
  'range',
  'transition',
  'supported',
  'unique',
  'currency',
  'timeZone',
  'vatNumber',
  ...serviceRules,
];

/** The first reason or rule of an error that clients do not know; undefined if they know all. */
export function unknownWordIn({ code, reason, details = [] }: Refusal): string | undefined {
  // This code alone says no more than the status.
  if (code === 'CONFLICT' && reason === undefined) return 'CONFLICT without a reason';
  const known: readonly string[] = reasonsOf(code);
  if (reason !== undefined && !known.includes(reason)) return `the reason ${reason} of ${code}`;
  const detail = details.find(({ rule }) => !rules.includes(rule));
  return detail && `the rule ${detail.rule}`;
}
