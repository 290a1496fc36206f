import type { RateLimiter, RateLimits } from '@tenantry/service-kit';

/** The figures of the limits; each is a setting. */
export interface LimitFigures {
  readonly RATE_LIMIT_SIGN_IN_PER_MINUTE: number;
  readonly RATE_LIMIT_SIGN_IN_PER_HOUR: number;
  readonly RATE_LIMIT_SIGN_UP_PER_HOUR: number;
  readonly RATE_LIMIT_MAIL_PER_10_MINUTES: number;
  readonly RATE_LIMIT_REFRESH_PER_MINUTE: number;
  readonly RATE_LIMIT_INVITATIONS_PER_HOUR: number;
  readonly RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: number;
  readonly RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE: number;
  readonly RATE_LIMIT_ORGANIZATIONS_PER_DAY: number;
  readonly RATE_LIMIT_PASSWORDS_PER_MINUTE: number;
  readonly RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: number;
}

/** The limits of the auth endpoints. Everything else is limited at the gateway. ASVS 5.0, 2.4.1. */
export interface AuthLimits {
  /** By client address. */
  readonly signIn: RateLimiter;
  /** By client address. */
  readonly signUp: RateLimiter;
  /** By recipient. */
  readonly mail: RateLimiter;
  /** By recipient: what other users cause must not use up what the recipient asks for. */
  readonly mailOfOthers: RateLimiter;
  /** By session. */
  readonly refresh: RateLimiter;
  /** By organization. */
  readonly invitations: RateLimiter;
  /** By user, in all their organizations. */
  readonly invitationsByUser: RateLimiter;
  /** By client address. */
  readonly invitationLookups: RateLimiter;
  /** By user who creates them. */
  readonly organizations: RateLimiter;
  /** Rows about refused uses in the audit trail, by session: what somebody repeats must not fill it. */
  readonly refusals: RateLimiter;
  /** By user who is signed in, or has the token of a reset. */
  readonly passwords: RateLimiter;
  /** The same by client address. */
  readonly passwordsByAddress: RateLimiter;
}

const refusalsPerHour = 5;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Makes the limits of the auth endpoints. */
export function createAuthLimits(rateLimits: RateLimits, figures: LimitFigures): AuthLimits {
  const limit = (name: string, ...windows: (readonly [max: number, seconds: number])[]) =>
    rateLimits.limiter({ name, windows: windows.map(([max, seconds]) => ({ max, seconds })) });
  return {
    signIn: limit(
      'sign-in',
      [figures.RATE_LIMIT_SIGN_IN_PER_MINUTE, minute],
      [figures.RATE_LIMIT_SIGN_IN_PER_HOUR, hour],
    ),
    signUp: limit('sign-up', [figures.RATE_LIMIT_SIGN_UP_PER_HOUR, hour]),
    mail: limit('mail', [figures.RATE_LIMIT_MAIL_PER_10_MINUTES, 10 * minute]),
    mailOfOthers: limit('mail-of-others', [figures.RATE_LIMIT_MAIL_PER_10_MINUTES, 10 * minute]),
    refresh: limit('refresh', [figures.RATE_LIMIT_REFRESH_PER_MINUTE, minute]),
    invitations: limit('invitations', [figures.RATE_LIMIT_INVITATIONS_PER_HOUR, hour]),
    invitationsByUser: limit('invitations-user', [figures.RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR, hour]),
    invitationLookups: limit('invitation-lookups', [
      figures.RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE,
      minute,
    ]),
    organizations: limit('organizations', [figures.RATE_LIMIT_ORGANIZATIONS_PER_DAY, day]),
    refusals: limit('refusals', [refusalsPerHour, hour]),
    passwords: limit('passwords', [figures.RATE_LIMIT_PASSWORDS_PER_MINUTE, minute]),
    passwordsByAddress: limit('passwords-address', [
      figures.RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE,
      minute,
    ]),
  };
}
