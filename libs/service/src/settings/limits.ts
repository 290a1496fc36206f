import { Type } from 'typebox';

/** Where instances share their rate limits; it may carry a password and is never shown. */
export const redisUrl = Type.Optional(
  Type.String({
    pattern: '^rediss?://',
    messages: { pattern: 'must begin with redis:// or rediss://' },
    description:
      'Redis in which instances share their rate limits; without it each process counts on its own',
  }),
);

/** The maximum within a window. */
export const rateLimit = (standard: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: standard, description });

/** A maximum that someone may reach by use. */
export const quota = (standard: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: standard, description });

/** The quotas of organizations in a service. */
export const quotaSettings = {
  QUOTA_ROWS: quota(1_000_000, 'maximum rows that an organization stores in this service'),
  QUOTA_BYTES: quota(2 * 1024 ** 3, 'maximum bytes of those rows'),
  QUOTA_ROWS_UNCONFIRMED: quota(
    100_000,
    'maximum rows of an organization in which no owner has confirmed an e-mail address',
  ),
  QUOTA_BYTES_UNCONFIRMED: quota(20 * 1024 ** 2, 'maximum bytes of those rows'),
} as const;

/** The setting of a service that keeps an audit trail. */
export const auditSettings = {
  AUDIT_RETENTION_DAYS: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 400,
    description:
      'days after which an entry of the audit trail is deleted, at least 30; 0 keeps the trail for ever',
  }),
} as const;
