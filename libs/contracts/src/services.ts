/** The roles of members, from the most powerful to the least. */
type Role = 'owner' | 'admin' | 'member';

/** What a service has of its own: other services list it, and clients have words for it. */
interface ServiceTerms {
  /** Named `resource:action`, by the lowest role that has them. */
  readonly permissions: Readonly<Record<Role, readonly string[]>>;
  /** What refines the code of an error, where clients should say or do something else. */
  readonly reasons?: Readonly<Record<string, readonly string[]>>;
  /** Names of the checks of single fields that the service makes itself. */
  readonly rules?: readonly string[];
}

const services = {
  'leads-service': {
    permissions: { member: ['leads:read', 'leads:write'], admin: ['leads:erase'], owner: [] },
    rules: ['columns', 'quota', 'file'],
  },
  'quotation-service': {
    permissions: { member: ['quotes:read', 'quotes:write'], admin: ['customers:erase'], owner: [] },
    reasons: {
      CONFLICT: [
        'QUOTE_SENT',
        'QUOTE_NOT_SENT',
        'QUOTE_NOT_ACCEPTED',
        'QUOTE_NOT_REVISABLE',
        'QUOTE_SUPERSEDED',
        'CURRENCY_FIXED',
        'MAILED_TOO_OFTEN',
        'TOO_MANY_LINKS',
        'CUSTOMER_ERASED',
      ],
    },
    rules: ['order', 'vatExemption', 'lineTotal', 'quoteTotal', 'quoteText'],
  },
  'users-service': {
    permissions: { member: ['users:read'], admin: ['users:write', 'users:delete'], owner: [] },
    reasons: { CONFLICT: ['ONLY_OWNER'], FORBIDDEN: ['ACCOUNT_OF_ANOTHER'] },
  },
  'auth-service': {
    permissions: {
      member: ['organization:read', 'members:read'],
      admin: [
        'members:write',
        'invitations:read',
        'invitations:write',
        'organization:update',
        // Every service with an audit trail asks for it.
        'audit:read',
        'service-accounts:read',
        'service-accounts:write',
        'domains:read',
      ],
      owner: [
        'users:disable',
        'organization:delete',
        // Every service asks for it.
        'organization:export',
        'owners:write',
        'domains:write',
        'connections:write',
      ],
    },
    reasons: {
      UNAUTHENTICATED: ['SESSION_ENDED'],
      INSUFFICIENT_USER_AUTHENTICATION: ['PASSWORD_REQUIRED'],
      FORBIDDEN: ['ACCOUNT_SHARED', 'ACCOUNT_DISABLED_ELSEWHERE', 'OWN_ACCOUNT', 'ROLE_TOO_HIGH'],
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
        'ORGANIZATIONS',
        'ORGANIZATIONS_UNCONFIRMED',
        'PEOPLE',
        'PEOPLE_UNCONFIRMED',
        'SERVICE_ACCOUNTS',
        'API_KEYS',
        'DOMAINS',
        'CONNECTIONS',
        'DIRECTORY_TOKENS',
      ],
      DOMAIN_NOT_VERIFIED: ['RECORD_MISSING', 'RECORD_DIFFERENT', 'RECORD_UNREADABLE', 'NO_DOMAIN'],
      CONFLICT: [
        'JOINED_MEANWHILE',
        'NOT_RESTORABLE',
        'CONNECTION_INCOMPLETE',
        'CERTIFICATES_ENDED',
        'CONNECTION_ENABLED',
        'SECOND_FACTOR_UNDECLARED',
        'CONNECTION_OFF',
        'CONNECTION_UNTRIED',
        'SSO_STILL_REQUIRED',
        'TOO_MANY_ROLES',
      ],
    },
    rules: [
      'known',
      'allowed',
      'valid',
      'credential',
      'recent',
      'common',
      'personal',
      'lastOwner',
      'image',
      'language',
      'country',
      'domain',
      'publicSuffix',
      'freeMail',
    ],
  },
} as const satisfies Readonly<Record<string, ServiceTerms>>;

type Service = (typeof services)[keyof typeof services];

/** A permission that a route may require. */
export type Permission = Service['permissions'][Role][number];

/** A reason that services have for a code. */
export type ServiceReason<Code extends string> = Service extends infer One
  ? One extends { readonly reasons: Readonly<Record<Code, readonly (infer Reason)[]>> }
    ? Reason
    : never
  : never;

const all: readonly ServiceTerms[] = Object.values(services);
const beginningWith = (role: Role) => all.flatMap(({ permissions }) => permissions[role] as Permission[]);
const member = beginningWith('member');
const admin = [...member, ...beginningWith('admin')];

/** The permissions of each role, in all services. A token carries the role, which every service maps to them. */
export const permissions: Readonly<Record<Role, readonly Permission[]>> = Object.freeze({
  owner: Object.freeze([...admin, ...beginningWith('owner')]),
  admin: Object.freeze(admin),
  member: Object.freeze(member),
});

/** The reasons that services have for a code. */
export const serviceReasons = (code: string): readonly string[] =>
  all.flatMap(({ reasons = {} }) => reasons[code] ?? []);

/** The rules that services check themselves. */
export const serviceRules: readonly string[] = all.flatMap(({ rules = [] }) => rules);
