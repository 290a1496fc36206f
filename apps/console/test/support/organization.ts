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

/** An API with this organization, in which Grace is without two-factor authentication. */
export function apiOfOrganization(start: api.Start, changes: Partial<api.Organization> = {}): FakeApi {
  return new FakeApi(start)
    .on(`GET ${organizationPath}`, { organization: { ...acme, ...changes } })
    .on(`GET ${members}`, { members: [grace], total: 1, page: 1, pageSize: 100 });
}
