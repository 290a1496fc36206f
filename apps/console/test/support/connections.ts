import type { api } from '@tenantry/client';
import { apiOfDomains, provenDomain } from './domains.ts';
import type { FakeApi } from './fake-api.ts';
import { signedInAs } from './starts.ts';

export const connectionsPath = '/api/auth/organization/id-of-Acme/connections';

/** A connection that was just begun. */
export const draft: api.Connection = {
  ...{ id: 'a-connection', kind: 'okta', name: 'Okta', issuer: null, clientId: null, hasSecret: false },
  ...{ provesSecondFactor: false, enabled: false, people: 0, isLinked: false, usedAt: null },
  saml: null,
  redirectUri: 'https://app.example.com/api/auth/sso/id-of-Acme/a-connection/callback',
  createdBy: { userId: 'ada', name: 'Ada Lovelace' },
  createdAt: '2026-11-20T12:00:00Z',
};

/** One with all its values. */
export const complete: api.Connection = {
  ...{ ...draft, issuer: 'https://acme.okta.com', clientId: 'a-client', hasSecret: true },
};

/** One of SAML that was just begun. */
export const samlDraft = {
  ...draft,
  ...{ kind: 'saml', name: 'SAML' },
  redirectUri: 'https://app.example.com/api/auth/sso/id-of-Acme/a-connection/acs',
  saml: {
    entityId: 'https://app.example.com/api/auth/sso/id-of-Acme/a-connection/metadata',
    ...{ ssoUrl: null, metadataUrl: null, readAt: null, certificates: [] },
  },
} as const satisfies api.Connection;

/** An API with these connections, for an owner. */
export function apiOfConnections(connections: readonly api.Connection[]): FakeApi {
  const start = signedInAs('owner');
  const permissions = [...start.permissions, 'connections:write'] as const;
  return apiOfDomains([provenDomain], { ...start, permissions: [...permissions] }).on(
    `GET ${connectionsPath}`,
    { connections },
  );
}
