import type { api } from '@tenantry/client';

const signUp: api.SignUpRules = { passwordMinLength: 8, emailVerificationRequired: false };

const signIn: api.SignInOffer = {
  ...{ signUp: 'open', password: true, mailed: false, passkeys: false, providers: [], singleSignOn: false },
};

/** Signed out. */
export const signedOut: api.SignedOutStart = {
  ...{ status: 'signed-out', reason: 'TOKEN_MISSING', csrfToken: null },
  ...{ user: null, session: null, organization: null, organizations: [], permissions: [], twoFactor: null },
  signIn,
  signUp,
};

/** Signed out, and codes to sign in with are mailed. */
export const mailing: api.SignedOutStart = { ...signedOut, signIn: { ...signIn, mailed: true } };

/** Signed out, and there are providers and passkeys. */
export const offering: api.SignedOutStart = {
  ...signedOut,
  signIn: { ...signIn, passkeys: true, providers: [{ id: 'google', name: 'Google' }] },
};

/** Signed out, and organizations sign people in. */
export const atOrganizations: api.SignedOutStart = {
  ...mailing,
  signIn: { ...mailing.signIn, singleSignOn: true },
};

/** An organization in the list of somebody's. */
export const organization = (
  name: string,
  more: Partial<api.OrganizationListItem> = {},
): api.OrganizationListItem => ({
  ...{ id: `id-of-${name}`, name, slug: name.toLowerCase().replaceAll(' ', '-') },
  ...{ createdAt: '2026-11-01T12:00:00Z', role: 'owner', active: false },
  ...{ twoFactorRequired: false, ssoRequired: false, accessible: true },
  ...more,
});

const ofMembers: api.SignedInStart['permissions'] = [
  ...(['leads:read', 'leads:write', 'quotes:read', 'quotes:write'] as const),
  ...(['users:read', 'organization:read', 'members:read'] as const),
];
const ofAdmins: api.SignedInStart['permissions'] = [
  ...ofMembers,
  ...(['leads:erase', 'customers:erase', 'users:write', 'users:delete', 'members:write'] as const),
  ...(['invitations:read', 'invitations:write', 'organization:update', 'audit:read'] as const),
  ...(['service-accounts:read', 'service-accounts:write', 'domains:read'] as const),
];

/** What each role may do. */
export const permissionsOf = {
  owner: [
    ...ofAdmins,
    ...([
      'users:disable',
      'organization:delete',
      'organization:export',
      'owners:write',
      'domains:write',
    ] as const),
  ],
  admin: ofAdmins,
  member: ofMembers,
} satisfies Record<string, api.SignedInStart['permissions']>;

/** Ada is signed in to Acme, with a role and all that it may do. */
export function signedInAs(role: keyof typeof permissionsOf): api.SignedInStart {
  return { ...signedIn([organization('Acme', { role })]), permissions: [...permissionsOf[role]] };
}

/** Ada is signed in, in the first of her organizations. */
export function signedIn(organizations = [organization('Acme')]): api.SignedInStart {
  const [first] = organizations;
  return {
    ...{ status: 'signed-in', reason: null, csrfToken: 'a-csrf-token' },
    user: {
      ...{ id: 'ada', email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
      ...{ language: null, timeZone: 'UTC' },
    },
    session: {
      id: 'a-session',
      createdAt: '2026-11-20T12:00:00Z',
      ...{ expiresAt: '2026-11-27T12:00:00Z', tokenExpiresAt: '2026-11-20T12:15:00Z' },
    },
    organization: first ?? null,
    organizations: organizations.map((each) => ({ ...each, active: each === first })),
    permissions: ['leads:read'],
    twoFactor: { enabled: false, methods: [], backupCodesLeft: 0 },
    signIn,
    signUp,
  };
}
