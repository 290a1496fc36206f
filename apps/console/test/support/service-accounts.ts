import type { api } from '@tenantry/client';
import { FakeApi } from './fake-api.ts';
import { permissionsOf, signedInAs } from './starts.ts';

const dayMs = 86_400_000;
const daysAhead = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const ada = { userId: 'ada', name: 'Ada Lovelace' };

export const accountsPath = '/api/auth/organization/id-of-Acme/service-accounts';

/** A key as it is shown once. */
export const shownKey = `tak_${'k'.repeat(82)}x7Qf`;

export const apiKey: api.ApiKey = {
  ...{ id: 'a-key', name: 'Server in Uppsala', ending: 'x7Qf', permissions: null, createdBy: ada },
  ...{ createdAt: '2026-11-20T12:00:00Z', expiresAt: daysAhead(90.5), lastUsedAt: '2026-11-21T13:00:00Z' },
};

/** Another, as the answer to its creation has it. */
export const newKey: api.ApiKey = { ...apiKey, id: 'new-key', name: 'Website', lastUsedAt: null };

export const account: api.ServiceAccount = {
  ...{ id: 'an-account', name: 'Nightly import', role: 'member', createdBy: ada, keys: [apiKey] },
  createdAt: '2026-11-20T12:00:00Z',
};

/** With a key that has ended, one that ends soon, and one of a service that the console does not know. */
export const oldAccount: api.ServiceAccount = {
  ...{ ...account, id: 'an-old-account', name: 'Book-keeping', role: 'admin' },
  createdBy: { userId: 'gone', name: null },
  keys: [
    { ...apiKey, id: 'ended', name: 'Old server', expiresAt: daysAhead(-2), permissions: ['quotes:read'] },
    { ...apiKey, id: 'soon', name: 'New server', expiresAt: daysAhead(12.5), lastUsedAt: null },
    { ...apiKey, id: 'other', name: 'Store', permissions: ['leads:read', 'leads:write', 'stock:read'] },
  ],
};

/** An API with these service accounts. */
export function apiOfServiceAccounts(
  serviceAccounts: readonly api.ServiceAccount[] = [account, oldAccount],
  start: api.Start = signedInAs('admin'),
): FakeApi {
  return new FakeApi(start)
    .on(`GET ${accountsPath}`, { serviceAccounts })
    .on('GET /api/auth/organization/permissions', {
      ...{ role: 'admin', permissions: permissionsOf.admin, roles: permissionsOf },
    });
}
