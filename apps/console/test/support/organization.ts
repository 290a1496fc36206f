import type { api } from '@tenantry/client';
import { FakeApi } from './fake-api.ts';
import { members } from './people.ts';

export const organizationPath = '/api/auth/organization/id-of-Acme';

export const acme: api.Organization = {
  ...{
    id: 'id-of-Acme',
    name: 'Acme',
    slug: 'acme',
    createdAt: '2026-11-01T12:00:00Z',
    role: 'owner',
    logo: null,
  },
  settings: {
    ...{ defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
    ...{ timeZone: 'Europe/Stockholm', vatNumber: 'SE556012579001' },
    address: { lines: ['Storgatan 1'], postalCode: '111 22', city: 'Stockholm', country: 'SE' },
  },
};

const grace: api.Member = {
  ...{ userId: 'grace', name: 'Grace Hopper', email: 'grace@example.com', role: 'member', disabled: false },
  ...{ twoFactor: false, createdAt: '2026-11-01T12:00:00Z' },
};

/** What leads-service answers of how leads may move. */
export const leadSettings = (furtherMoves: api.LeadSettings['furtherMoves'], version = 1): Response =>
  Response.json(
    { data: { furtherMoves, acceptedQuoteMovesLead: true }, error: null, meta: {} },
    { headers: { etag: `"${version}"` } },
  );

/** What a service answers of its storage, of an organization that has used a share of its quota. */
export const usage = (share: number, ownerConfirmed = true) => ({
  data: {
    rows: { used: Math.round(share * 1_000_000), quota: 1_000_000 },
    bytes: { used: Math.round(share * 2_147_483_648), quota: 2_147_483_648 },
    ownerConfirmed,
  },
  error: null,
  meta: {},
});

/** What auth-service answers of the people of an organization that has a share of those it may have. */
export const peopleUsage = (share: number, ownerConfirmed = true): api.GetOrganizationUsageAnswer => ({
  usage: {
    people: { used: Math.round(share * 10_000), quota: 10_000 },
    ...{ serviceAccounts: { used: 2, quota: 20 }, domains: { used: 1, quota: 20 } },
    ...{ connections: { used: 1, quota: 5 }, ownerConfirmed },
  },
});

/** An API with this organization, in which Grace is without two-factor authentication. */
export function apiOfOrganization(start: api.Start, changes: Partial<api.Organization> = {}): FakeApi {
  return new FakeApi(start)
    .on(`GET ${organizationPath}`, { organization: { ...acme, ...changes } })
    .on('GET /api/leads/settings', () => leadSettings(['new-to-lost']))
    .on('GET /api/leads/usage', usage(0.25))
    .on('GET /api/quotation/usage', usage(0.031))
    .on('GET /api/users/usage', usage(0.0001))
    .on(`GET ${organizationPath}/usage`, peopleUsage(0.0002))
    .on(`GET ${members}`, { members: [grace], total: 1, page: 1, pageSize: 100 });
}
