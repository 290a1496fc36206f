import { quotableCurrencies, quotableMessage } from '@tenantry/money';
import type { ServiceConfig } from '@tenantry/service';
import { sessionBindings } from '@tenantry/service/browser';
import { settings } from '@tenantry/service/settings';
import { Type } from 'typebox';
import { providerSettings } from './provider-settings.ts';

/** The settings of auth-service beyond those of every service. */
export const ownSettings = {
  ...settings.listenerSettings,
  INTERNAL_PORT: settings.internalPort,
  AUTH_SECRET: settings.secret({
    description: 'secret of at least 32 characters, from which peppers and encryption keys are derived',
  }),
  AUTH_SECRET_PREVIOUS: Type.Array(Type.String({ minLength: 32 }), {
    default: [],
    secret: true,
    description:
      'comma-separated earlier values of AUTH_SECRET, with which passwords and stored secrets can still be checked and decrypted',
  }),
  TOKEN_SECRET_PREVIOUS: Type.Array(Type.String({ minLength: 32 }), {
    default: [],
    secret: true,
    description:
      'comma-separated earlier values of AUTH_SECRET whose refresh and CSRF tokens are still accepted: set it for ' +
      'the week after a planned rotation, and leave it empty after a leak',
  }),
  SIGNING_KEY_ROTATION_DAYS: Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 30,
    description: 'days after which the signing key rotates; 0 leaves rotation to npm run keys -- rotate',
  }),
  AUTH_URL: settings.authUrl,
  ...settings.frontendSettings,
  INTERNAL_API_KEY: settings.internalApiKey,
  ...settings.mailSettings,
  PASSWORD_MIN_LENGTH: Type.Integer({
    minimum: 8,
    maximum: 64,
    default: 8,
    description: 'minimum length of a new password, in characters',
  }),
  REQUIRE_EMAIL_VERIFICATION: Type.Boolean({
    default: false,
    description: 'true: users must confirm their address by a mailed link before they can sign in',
  }),
  SIGN_UP: Type.Enum(['open', 'invited'], {
    default: 'open',
    description:
      'who may create an account: anyone, or only people with an invitation; organizations can create accounts for their people either way',
  }),
  MAILED_SIGN_IN: Type.Boolean({
    default: false,
    description: 'true: users may sign in by a code or link that is mailed to them, without a password',
  }),
  PASSKEY_RP_ID: Type.Optional(
    Type.String({
      pattern: '^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$',
      messages: { pattern: 'must be a host name, and no IP address' },
      maxLength: 253,
      description:
        'host of FRONTEND_URL, or a domain above it: turns passkeys on, which work only on that domain',
    }),
  ),
  ...providerSettings,
  DNS_SERVERS: Type.Array(
    Type.String({
      pattern:
        '^(?:\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?|\\[[0-9A-Fa-f:]+\\]:\\d{1,5}|[0-9A-Fa-f]*:[0-9A-Fa-f:]+)$',
      messages: { pattern: 'must be an IP address, with a port if it is not 53' },
    }),
    {
      default: [],
      description:
        'comma-separated addresses of the DNS resolvers that are asked for the records of domains, such as 9.9.9.9 or [2620:fe::fe]:53; default: those of the system',
    },
  ),
  SSO_LOOPBACK_ORIGINS: Type.Array(
    Type.String({
      pattern: '^https?://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])(?::[0-9]{1,5})?$',
      messages: { pattern: 'must be an origin of this machine' },
    }),
    {
      default: [],
      description:
        'comma-separated origins on this machine that organizations may name as identity providers, for development and tests; refused in production',
    },
  ),
  BCRYPT_COST: Type.Integer({
    minimum: 4,
    productionMinimum: 10,
    maximum: 18,
    default: 12,
    description: 'bcrypt cost of password hashes; each step doubles the work; at least 10 in production',
  }),
  UV_THREADPOOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 1024,
    default: 4,
    description: "Node's number of worker threads; password hashing leaves one of them free",
  }),
  PERSONAL_ORGANIZATIONS: Type.Boolean({
    default: true,
    description: 'true: a user without an organization gets a personal one',
  }),
  DEFAULT_CURRENCY: Type.String({
    pattern: `^(${quotableCurrencies.join('|')})$`,
    messages: { pattern: quotableMessage },
    default: 'SEK',
    description: 'currency of a new organization, ISO 4217',
  }),
  LOCKOUT_THRESHOLD: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 5,
    description: 'consecutive wrong passwords that lock an address for unknown devices, or a known device',
  }),
  LOCKOUT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 30,
    description: 'seconds the first lock lasts; each further wrong password doubles it',
  }),
  LOCKOUT_SECONDS_MAX: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 900,
    description: 'maximum seconds a lock lasts',
  }),
  LOCKOUT_DISABLE_AFTER: Type.Integer({
    minimum: 2,
    maximum: 10_000,
    default: 100,
    description: 'consecutive wrong passwords after which the password is disabled until it is reset',
  }),
  REDIS_URL: settings.redisUrl,
  RATE_LIMIT_SIGN_IN_PER_MINUTE: settings.rateLimit(
    10,
    'failed sign-ins and sign-in letters per minute and client address (IPv6: per /64), and sign-ins to one account; ' +
      'devices that have signed in to it before have their own, and an address 20 times as many for all accounts together',
  ),
  RATE_LIMIT_SIGN_IN_PER_HOUR: settings.rateLimit(100, 'the same per hour'),
  RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE: settings.rateLimit(
    30,
    'sign-ins by a provider that one client address may begin per minute',
  ),
  RATE_LIMIT_REFUSED_CALLBACKS_PER_HOUR: settings.rateLimit(
    60,
    'returns from a provider that belong to no sign-in, per hour and client address',
  ),
  RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE: settings.rateLimit(
    300,
    'returns from the identity provider of an organization, per minute and connection',
  ),
  RATE_LIMIT_SCIM_PER_MINUTE: settings.rateLimit(
    600,
    'requests per minute that a directory makes with one token',
  ),
  RATE_LIMIT_SIGN_UP_PER_HOUR: settings.rateLimit(
    20,
    'accounts that sign-ups from one client address may create per hour',
  ),
  RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: settings.rateLimit(
    20,
    'sign-ups from one client address that may be refused per hour, such as for an address with an account',
  ),
  RATE_LIMIT_MAIL_PER_10_MINUTES: settings.rateLimit(
    3,
    'e-mails of each kind that one recipient gets in 10 minutes, and three times as many of all kinds that can be requested; a ' +
      'device that has signed in to the account has its own if the address is confirmed',
  ),
  RATE_LIMIT_MAIL_PER_USER_PER_DAY: settings.rateLimit(
    200,
    'e-mails to other people that one user may cause per day',
  ),
  RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: settings.rateLimit(
    200,
    'invitations and letters to new accounts that one organization may send per day',
  ),
  RATE_LIMIT_EMAIL_CHANGES_PER_DAY: settings.rateLimit(
    3,
    'changes of address that one user may request per day; each new address gets an e-mail',
  ),
  RATE_LIMIT_REFRESH_PER_MINUTE: settings.rateLimit(
    30,
    'refreshes per minute and session, at each client address',
  ),
  RATE_LIMIT_INVITATIONS_PER_HOUR: settings.rateLimit(20, 'invitations per hour and organization'),
  RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: settings.rateLimit(40, 'invitations per hour and user'),
  RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE: settings.rateLimit(
    30,
    'tokens of no open invitation that one client address may show per minute',
  ),
  RATE_LIMIT_ORGANIZATIONS_PER_DAY: settings.rateLimit(10, 'organizations that one user may create per day'),
  RATE_LIMIT_TAKEN_SLUGS_PER_HOUR: settings.rateLimit(60, 'taken slugs that one user may try per hour'),
  RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR: settings.rateLimit(
    60,
    'changes to the name, settings and logo of one organization per hour, and service accounts, keys and domains that it creates or changes',
  ),
  RATE_LIMIT_EXPORTS_PER_HOUR: settings.rateLimit(
    2,
    'exports of all data of one organization per hour and service',
  ),
  RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE: settings.rateLimit(
    20,
    'checks per minute whether the record of a domain of one organization is there',
  ),
  RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE: settings.rateLimit(60, 'the same from one client address'),
  RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE: settings.rateLimit(
    60,
    'access tokens that one key of a service account gets per minute',
  ),
  RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: settings.rateLimit(
    60,
    'changes that one user may make to their own account, and new names of others, per hour; a name counts for each ' +
      'organization that shows it. Ways to sign in may be removed beyond it',
  ),
  RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: settings.rateLimit(
    300,
    'changes of roles, disabled and enabled accounts that one user may make per hour; at most 60, or a fifth of it, per minute',
  ),
  RATE_LIMIT_USERS_PER_HOUR: settings.rateLimit(
    60,
    'accounts that one user may create with POST /api/users per hour',
  ),
  RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR: settings.rateLimit(
    60,
    'accounts that may be created with POST /api/users per hour and organization',
  ),
  RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: settings.rateLimit(
    120,
    'accounts that may be created with POST /api/users per hour and client address',
  ),
  RATE_LIMIT_REFUSED_USERS_PER_HOUR: settings.rateLimit(
    10,
    'refused attempts to create a user per hour, by user, by organization and by client address',
  ),
  RATE_LIMIT_PASSWORDS_PER_MINUTE: settings.rateLimit(
    10,
    'passwords that may be entered or set per minute in one session, and with tokens mailed to one user; five times as many in ' +
      'all sessions of a user',
  ),
  RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: settings.rateLimit(
    60,
    'passwords that signed-in users may enter or set per minute and client address',
  ),
  ...settings.auditSettings,
  ORGANIZATION_GRACE_DAYS: Type.Integer({
    minimum: 0,
    maximum: 3_650,
    default: 30,
    description:
      'days after which the data of a deleted organization is permanently deleted in every service; until then the operator can restore it',
  }),
  MAX_SESSIONS_PER_USER: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 20,
    description:
      'maximum live sessions per user, and of each user for each organization whose identity provider has started them; a further sign-in ends the oldest',
  }),
  MAX_ORGANIZATIONS_PER_USER: settings.quota(100, 'maximum organizations that one user may belong to'),
  MAX_ORGANIZATIONS_PER_USER_UNCONFIRMED: settings.quota(
    20,
    'the same for a user who has not confirmed an e-mail address',
  ),
  MAX_PEOPLE_PER_ORGANIZATION: settings.quota(
    10_000,
    'maximum members and open invitations of an organization',
  ),
  MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED: settings.quota(
    500,
    'the same for an organization in which no owner has confirmed an e-mail address',
  ),
  SESSION_BINDING: Type.Enum([...sessionBindings], {
    default: 'ip+device',
    description: 'what a session is bound to: its device, and its address (IPv6: /64) or network (/24, /48)',
  }),
  SESSION_IDLE_HOURS: Type.Integer({
    minimum: 0,
    maximum: 168,
    default: 0,
    description: 'hours after which an unused session ends; 0 turns this off',
  }),
} as const;

/** The parsed, frozen configuration. */
export type Config = ServiceConfig<typeof ownSettings>;
