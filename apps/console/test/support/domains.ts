import type { api } from '@tenantry/client';
import { FakeApi } from './fake-api.ts';
import { signedInAs } from './starts.ts';

export const domainsPath = '/api/auth/organization/id-of-Acme/domains';

const recordOf = (domain: string): api.Domain['record'] => ({
  ...{ type: 'TXT', name: `_tenantry-challenge.${domain}` },
  value: 'PDVjFGfB0YlVLJ2mb3ybk5cPrR1Vcq6Vzq1cE0u3yJk',
});

/** A domain whose record was not looked for yet. */
export const pendingDomain: api.Domain = {
  ...{ id: 'a-domain', domain: 'acme.example', joins: 'nobody', state: 'pending' },
  record: recordOf('acme.example'),
  createdBy: { userId: 'ada', name: 'Ada Lovelace' },
  createdAt: '2026-11-20T12:00:00Z',
  ...{ verifiedAt: null, suspendedAt: null, readAt: null },
};

export const provenDomain: api.Domain = {
  ...{ ...pendingDomain, id: 'a-proven-domain', domain: 'xn--mller-dach-9db.example', state: 'verified' },
  record: recordOf('xn--mller-dach-9db.example'),
  ...{ verifiedAt: '2026-11-20T12:00:00Z', readAt: '2026-11-21T13:00:00Z', joins: 'member' },
};

export const missingDomain: api.Domain = {
  ...{ ...provenDomain, id: 'a-missing-domain', domain: 'acme.test', state: 'missing' },
  record: recordOf('acme.test'),
};

export const suspendedDomain: api.Domain = {
  ...{ ...provenDomain, id: 'a-suspended-domain', domain: 'acme-old.example', state: 'suspended' },
  ...{ record: recordOf('acme-old.example'), suspendedAt: '2026-11-22T12:00:00Z', readAt: null },
};

/** An API with these domains. */
export const apiOfDomains = (
  domains: readonly api.Domain[] = [pendingDomain, provenDomain, missingDomain, suspendedDomain],
  start: api.Start = signedInAs('owner'),
): FakeApi => new FakeApi(start).on(`GET ${domainsPath}`, { domains });
