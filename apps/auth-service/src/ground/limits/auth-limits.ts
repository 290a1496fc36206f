import {
  isAnyRefusal,
  OutcomeLimits,
  type OutcomeLimitsOptions,
  type CountedLimiter,
  type RateLimits,
} from '@tenantry/service/rate-limits';
import type { Config } from '../../config.ts';

/** The settings of the limits. */
type LimitFigures = {
  readonly [Name in keyof Config as Name extends `RATE_LIMIT_${string}` ? Name : never]: Config[Name];
};

const refusalsPerHour = 5;
/** Assumed number of people behind an address, as at the gateway. */
const usersPerAddress = 20;
/** Assumed number of sessions that a user uses at once, as at the gateway. */
const sessionsPerUser = 5;
/** How many members may be changed within a minute, if the limit per hour is not lower. */
const memberChangesAtOnce = 60;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The limits of the auth endpoints. Everything else is limited at the gateway. ASVS 5.0, 2.4.1. */
export function createAuthLimits(rateLimits: RateLimits, figures: LimitFigures) {
  const makers = makersIn(rateLimits);
  const { limit } = makers;
  return {
    ...strangersLimits(makers, figures),
    ...organizationsLimits(makers, figures),
    /** By session, at each client address: a session's id is in its access tokens, and may be shown by who has copied one. */
    refresh: limit('refresh', 'session refreshes', [figures.RATE_LIMIT_REFRESH_PER_MINUTE, minute]),
    /** Audit entries about refused uses, by session, so that repetition cannot fill the trail. */
    refusals: limit('refusals', 'refused uses of a session', [refusalsPerHour, hour]),
    /**
     * By user: each change is a row in the trail of every organization they belong to. What takes something from an intruder is
     * not counted here: an identity or passkey that is removed was counted when it was added.
     */
    accountChanges: limit('account-changes', 'changes to your account', [
      figures.RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR,
      hour,
    ]),
    /** By session: nothing else uses them up. */
    backupCodes: limit('backup-codes', 'changes of your backup codes', [
      figures.RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR,
      hour,
    ]),
    ...passwordLimits(makers, figures),
    /** Accounts that organizations create: by the user who asks, by organization and by client address. */
    provisioning: provisioningLimits(makers, figures),
  };
}

/** The limits, by name. */
export type AuthLimits = ReturnType<typeof createAuthLimits>;

type Makers = ReturnType<typeof makersIn>;

/** What makes limits, all by one clock. */
const makersIn = (rateLimits: RateLimits) => ({
  limit: (
    name: string,
    counted: string,
    ...windows: (readonly [max: number, seconds: number])[]
  ): CountedLimiter =>
    rateLimits.limiter({ name, counted, windows: windows.map(([max, seconds]) => ({ max, seconds })) }),
  outcomes: (options: OutcomeLimitsOptions): OutcomeLimits => new OutcomeLimits(options),
});

/** Limits of signed-out requests. */
function strangersLimits(makers: Makers, figures: LimitFigures) {
  const { limit, outcomes } = makers;
  return {
    ...signInLimits(makers, figures),
    /** Sign-ins by a provider that are started, by client address. */
    providerSignIns: limit('provider-sign-in', 'sign-ins begun from your network', [
      figures.RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE,
      minute,
    ]),
    /** Returns from a provider that belong to no sign-in, by client address. */
    callbacks: limit('callback-refused', 'failed sign-ins from your network', [
      figures.RATE_LIMIT_REFUSED_CALLBACKS_PER_HOUR,
      hour,
    ]),
    /** Responses posted to a sign-in under way, which goes on after what is none of the identity provider's: by client address. */
    postedResponses: limit('posted-response', 'responses of identity providers from your network', [
      figures.RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE,
      minute,
    ]),
    /** Returns from the identity provider of an organization, by connection. */
    connectionCallbacks: limit('connection-callbacks', 'sign-ins at your organization', [
      figures.RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE,
      minute,
    ]),
    /** By client address. */
    signUps: outcomes({
      done: [
        limit('sign-up', 'accounts created from your network', [figures.RATE_LIMIT_SIGN_UP_PER_HOUR, hour]),
      ],
      refused: [
        limit('sign-up-refused', 'refused sign-ups from your network', [
          figures.RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR,
          hour,
        ]),
      ],
    }),
    /** Invitations that are not open, by client address. */
    invitationLookups: limit('invitation-lookups', 'invitations opened from your network', [
      figures.RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE,
      minute,
    ]),
  };
}

/** Passwords that are entered or set by users who are known already. */
function passwordLimits({ limit }: Makers, figures: LimitFigures) {
  const { RATE_LIMIT_PASSWORDS_PER_MINUTE: perMinute } = figures;
  return {
    /** By session. */
    passwords: limit('passwords', 'passwords entered', [perMinute, minute]),
    /** By user, in all sessions. */
    passwordsOfUser: limit('passwords-user', 'passwords entered', [perMinute * sessionsPerUser, minute]),
    /** By user who has the token of a reset. */
    passwordResets: limit('password-resets', 'passwords entered', [perMinute, minute]),
    /** All of these by client address. */
    passwordsByAddress: limit('passwords-address', 'passwords entered from your network', [
      figures.RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE,
      minute,
    ]),
  };
}

/**
 * Guesses are limited by address. Successes count against the account instead, so that colleagues do not use up each other's
 * limit; a limit for all of them together bounds the hashing, since accounts are free.
 */
function signInLimits({ limit, outcomes }: Makers, figures: LimitFigures) {
  const { RATE_LIMIT_SIGN_IN_PER_MINUTE: perMinute, RATE_LIMIT_SIGN_IN_PER_HOUR: perHour } = figures;
  const fromNetwork = 'sign-ins from your network';
  const ofOne = [
    [perMinute, minute],
    [perHour, hour],
  ] as const;
  const ofAll = ofOne.map(([max, seconds]) => [max * usersPerAddress, seconds] as const);
  const refused = limit('sign-in', fromNetwork, ...ofOne);
  return {
    /** By client address, and by account at that address if it is known: failures and successes. */
    signIns: outcomes({
      done: [
        limit('sign-in-together', fromNetwork, ...ofAll),
        limit('sign-in-account', 'sign-ins to this account', ...ofOne),
      ],
      refused: [refused],
      // A lock is also discovered by guessing.
      isRefusal: isAnyRefusal,
    }),
    /** Letters to sign in with, by client address; they count as sign-ins that fail. */
    signInLetters: refused,
    /** Sign-ins from a device that has signed in to the account before. */
    knownDevices: {
      /** By device and account. */
      each: limit('sign-in-device', 'sign-ins to this account', ...ofOne),
      /** By client address. */
      together: limit('sign-in-devices', fromNetwork, ...ofAll),
    },
  };
}

/** Limits of organizations' users. */
function organizationsLimits({ limit, outcomes }: Makers, figures: LimitFigures) {
  const { RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: perHour } = figures;
  return {
    /** By organization, and by user in all their organizations. */
    invitations: outcomes({
      done: [
        limit('invitations', 'invitations sent by this organization', [
          figures.RATE_LIMIT_INVITATIONS_PER_HOUR,
          hour,
        ]),
        limit('invitations-user', 'invitations sent', [
          figures.RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR,
          hour,
        ]),
      ],
      // Users who may invite may also know who is a member.
      refused: [],
    }),
    /** By user who creates them. */
    organizations: outcomes({
      done: [
        limit('organizations', 'organizations created', [figures.RATE_LIMIT_ORGANIZATIONS_PER_DAY, day]),
      ],
      refused: [
        limit('organizations-refused', 'slugs tried that are taken', [
          figures.RATE_LIMIT_TAKEN_SLUGS_PER_HOUR,
          hour,
        ]),
      ],
    }),
    /**
     * By user who changes others, not all within a minute: each change is an event that every service reads. Removing them is not
     * counted: an owner may need it when the limit is used up.
     */
    memberChanges: limit(
      'member-changes',
      'changes to members',
      [Math.min(perHour, Math.max(perHour / 5, memberChangesAtOnce)), minute],
      [perHour, hour],
    ),
    /** By key, once it is known. */
    serviceTokens: limit('service-tokens', 'access tokens for this key', [
      figures.RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE,
      minute,
    ]),
    /** By token of a directory, once it is known. */
    scim: limit('scim', 'requests with this token', [figures.RATE_LIMIT_SCIM_PER_MINUTE, minute]),
    /** The same, of roles that change by groups: one request changes many, and each is announced. */
    scimRoles: limit('scim-roles', 'changes of roles with this token', [
      figures.RATE_LIMIT_SCIM_PER_MINUTE,
      minute,
    ]),
    /** By organization and service: each reads everything that there is. */
    organizationExports: limit('organization-exports', 'exports of this organization', [
      figures.RATE_LIMIT_EXPORTS_PER_HOUR,
      hour,
    ]),
    /** By organization: each asks name servers that a customer names. */
    domainChecks: limit('domain-checks', 'checks of domains of this organization', [
      figures.RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE,
      minute,
    ]),
    /** By client address, since organizations are free. */
    domainChecksByAddress: limit('domain-checks-address', 'checks of domains from your network', [
      figures.RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE,
      minute,
    ]),
    /** By organization. */
    organizationChanges: limit('organization-changes', 'changes to this organization', [
      figures.RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR,
      hour,
    ]),
  };
}

/** An address that is taken is refused, so this limit prevents probing for taken addresses. */
function provisioningLimits({ limit, outcomes }: Makers, figures: LimitFigures): OutcomeLimits {
  const refusedPerHour = [figures.RATE_LIMIT_REFUSED_USERS_PER_HOUR, hour] as const;
  const refused = 'refused attempts to create a user';
  return outcomes({
    done: [
      limit('users', 'users created', [figures.RATE_LIMIT_USERS_PER_HOUR, hour]),
      limit('users-organization', 'users created in this organization', [
        figures.RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR,
        hour,
      ]),
      limit('users-address', 'users created from your network', [
        figures.RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR,
        hour,
      ]),
    ],
    refused: [
      limit('users-refused', refused, refusedPerHour),
      limit('users-refused-organization', `${refused} in this organization`, refusedPerHour),
      limit('users-refused-address', `${refused} from your network`, refusedPerHour),
    ],
  });
}
