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

export const tokensPath = `${connectionsPath}/a-connection/scim-tokens`;

/** A token of the directory. */
export const scimToken: api.ScimToken = {
  ...{ id: 'a-token', ending: 'x7Qf', createdAt: '2026-11-20T12:00:00Z', lastUsedAt: '2026-11-28T09:00:00Z' },
  createdBy: { userId: 'ada', name: 'Ada Lovelace' },
};

export const groupsPath = `${connectionsPath}/a-connection/groups`;

/** A directory with these tokens. */
export const directoryWith = (...scimTokens: api.ScimToken[]): api.ListScimTokensAnswer => ({
  address: 'https://app.example.com/api/auth/scim/v2/id-of-Acme/a-connection',
  people: scimTokens.length === 0 ? 0 : 12,
  scimTokens,
});

export const requirementPath = '/api/auth/organization/id-of-Acme/sso-requirement';
export const arrivalsPath = `${connectionsPath}/a-connection/arrivals`;

/** Nobody has tried the connection, and two members would not get in. */
export const requirementOf = (connections: readonly api.Connection[]): api.SsoRequirement => ({
  required: false,
  connectionId: connections.find(({ enabled }) => enabled)?.id ?? null,
  requirableUntil: null,
  lockedOut: { total: 2, names: ['Mia Member', 'Adam Admin'] },
});

/** An API with these connections, for an owner. */
export function apiOfConnections(
  connections: readonly api.Connection[],
  directory = directoryWith(),
): FakeApi {
  const start = signedInAs('owner');
  const permissions = [...start.permissions, 'connections:write'] as const;
  return apiOfDomains([provenDomain], { ...start, permissions: [...permissions] })
    .on(`GET ${connectionsPath}`, { connections })
    .on(`GET ${tokensPath}`, directory)
    .on(`GET ${groupsPath}`, { groups: [] })
    .on(`GET ${requirementPath}`, { requirement: requirementOf(connections) })
    .on(`GET ${arrivalsPath}`, { arrivals: [] });
}
