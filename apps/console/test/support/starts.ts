import type { api } from '@tenantry/client';

const signUp: api.SignUpRules = { passwordMinLength: 8, emailVerificationRequired: false };

const signIn: api.SignInOffer = {
  ...{ signUp: 'open', password: true, mailed: false, passkeys: false, providers: [] },
};

/** Nobody is signed in. */
export const signedOut: api.SignedOutStart = {
  ...{ status: 'signed-out', reason: 'TOKEN_MISSING', csrfToken: null },
  ...{ user: null, session: null, organization: null, organizations: [], permissions: [], twoFactor: null },
  signIn,
  signUp,
};

/** Nobody is signed in, and codes to sign in with are mailed. */
export const mailing: api.SignedOutStart = { ...signedOut, signIn: { ...signIn, mailed: true } };

/** An organization in the list of somebody's. */
export const organization = (
  name: string,
  more: Partial<api.OrganizationListItem> = {},
): api.OrganizationListItem => ({
  ...{ id: `id-of-${name}`, name, slug: name.toLowerCase().replaceAll(' ', '-') },
  ...{ createdAt: '2026-11-01T12:00:00Z', role: 'owner', active: false },
  ...{ twoFactorRequired: false, accessible: true },
  ...more,
});

/** Ada is signed in, in the first of her organizations. */
export function signedIn(organizations = [organization('Acme')]): api.SignedInStart {
  const [first] = organizations;
  return {
    ...{ status: 'signed-in', reason: null, csrfToken: 'a-csrf-token' },
    user: { id: 'ada', email: 'ada@example.com', name: 'Ada Lovelace', language: null, timeZone: 'UTC' },
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
