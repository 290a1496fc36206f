import { randomUUID } from 'node:crypto';
import { selfSigned } from '@tenantry/test-kit';
import { challengeFor, enrolling, withTwoFactor } from '../authenticator.ts';
import { askedPasskey, newPasskey, withPasskey } from '../passkeys.ts';
import { addRecord } from '../name-server.ts';
import { ownOrigin } from '../origin.ts';
import { codeVerifier } from '../identity-provider.ts';
import type { PreparedRequests } from '../lawful-requests.ts';
import { newEmail, newPassword, socialVisit, type Tenant } from '../people.ts';
import { furtherOwner, recentOwner } from '../recent-owner.ts';
import { send } from '../wire.ts';

const newOrganization = () => ({ name: 'Analytical Engines', slug: `engines-${randomUUID().slice(0, 8)}` });
const logo = {
  mediaType: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
    'base64',
  ),
};
const own = ({ organizationId }: Tenant) => ({ path: { organizationId } });
const newMember = async ({ organizationId, join }: Tenant) => {
  const person = await join('member');
  return { person, path: { organizationId, userId: person.id } };
};
const withLogo = async (tenant: Tenant) => {
  await tenant.api.sendFile(`PUT /api/auth/organization/${tenant.organizationId}/logo`, logo, tenant.owner);
  return own(tenant);
};

/** Accounts: they end, or change their password, so every request has one of its own. */
const accountRequests: PreparedRequests = {
  'POST /api/auth/sign-up/email': () => ({
    body: { email: newEmail(), password: newPassword(), name: 'Ada' },
  }),
  'GET /api/auth/user': () => ({}),
  'PATCH /api/auth/user': async ({ api }) => ({
    by: await api.signUp(),
    body: { name: 'Ada', language: 'en-GB', timeZone: 'Europe/Stockholm' },
  }),
  'DELETE /api/auth/user': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { password: by.password } };
  },
  'POST /api/auth/password/change': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { currentPassword: by.password, newPassword: newPassword() } };
  },
  // Another way to sign in is left: a code that is mailed to the confirmed address.
  'DELETE /api/auth/password': async ({ api }) => {
    const by = await api.signUp();
    await api.confirm(by);
    return { by, body: { password: by.password } };
  },
  'POST /api/auth/password/forgot': () => ({ body: { email: newEmail() } }),
  'POST /api/auth/password/reset': async ({ api }) => {
    const about = await api.signUp();
    const { email } = about;
    await api.call('POST /api/auth/password/forgot', { email });
    const token = await api.mailed(email, 'reset-password');
    return { about, body: { token, newPassword: newPassword() } };
  },
  'POST /api/auth/email/verify': async ({ api }) => {
    const about = await api.signUp();
    await api.call('POST /api/auth/email/resend', { email: about.email });
    return { about, body: { token: await api.mailed(about.email, 'verify-email') } };
  },
  'POST /api/auth/email/resend': () => ({ body: { email: newEmail() } }),
  'POST /api/auth/email/change': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { newEmail: newEmail(), password: by.password } };
  },
};

const sessionRequests: PreparedRequests = {
  'POST /api/auth/sign-in/email': ({ owner: { email, password } }) => ({ body: { email, password } }),
  'POST /api/auth/sign-in/mailed': () => ({ body: { email: newEmail() } }),
  'POST /api/auth/sign-in/mailed/verify': async ({ api }) => {
    const by = await api.signUp();
    await api.call('POST /api/auth/sign-in/mailed', { email: by.email }, by);
    return { by, body: { token: await api.mailed(by.email, 'sign-in') } };
  },
  'POST /api/auth/sign-in/passkey/options': () => ({}),
  'POST /api/auth/sign-in/passkey': async ({ api }) => {
    const { person: by, authenticator } = await withPasskey(api);
    const { token, options } = await api.call<{ token: string; options: { challenge: string } }>(
      'POST /api/auth/sign-in/passkey/options',
      {},
      by,
    );
    return { by, body: { token, response: authenticator.get(options) } };
  },
  'POST /api/auth/passkeys/options': async ({ api }) => ({ by: await api.signUp() }),
  'POST /api/auth/passkeys': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { name: 'Phone', response: (await newPasskey(api, by)).response } };
  },
  'DELETE /api/auth/passkeys/{id}': async ({ api }) => {
    const { person: by, id } = await withPasskey(api);
    return { by, path: { id } };
  },
  'POST /api/auth/sign-in/social': () => ({ body: socialVisit(`${ownOrigin}/signed-in`) }),
  'POST /api/auth/sign-in/ticket': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { ticket: await api.ticket(by, 'sign-in/social'), codeVerifier } };
  },
  'POST /api/auth/identities/link': async ({ api }) => ({
    by: await api.signUp(),
    body: socialVisit(`${ownOrigin}/signed-in`),
  }),
  'POST /api/auth/identities': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { ticket: await api.ticket(by, 'identities/link'), codeVerifier } };
  },
  'DELETE /api/auth/identities/{id}': async ({ api }) => {
    const by = await api.signUp();
    const body = { ticket: await api.ticket(by, 'identities/link'), codeVerifier };
    const { identity } = await api.call<{ identity: { id: string } }>('POST /api/auth/identities', body, by);
    return { by, path: { id: identity.id } };
  },
  'POST /api/auth/sign-out': async ({ api, owner }) => ({ by: await api.signIn(owner) }),
  'POST /api/auth/refresh': async ({ api, owner, organizationId }) => {
    const by = await api.signIn(owner);
    return { by, body: { refreshToken: by.session.refreshToken, organizationId } };
  },
  'POST /api/auth/session/rebind': async ({ api, owner }) => {
    const by = await api.signIn(owner);
    return { by, body: { refreshToken: by.session.refreshToken, password: owner.password } };
  },
  'GET /api/auth/csrf': ({ owner }) => ({ by: owner }),
  'GET /api/auth/session': () => ({}),
  'GET /api/auth/start': ({ owner }) => ({ by: owner }),
  'GET /api/auth/sessions': () => ({}),
  'GET /api/auth/ways-in': () => ({}),
  'DELETE /api/auth/sessions': async ({ api }) => ({ by: await api.signUp(), query: { scope: 'others' } }),
  'DELETE /api/auth/sessions/{id}': async ({ api }) => {
    const by = await api.signUp();
    const { session } = await api.signIn(by);
    return { by, path: { id: session.id } };
  },
};

const organizationRequests: PreparedRequests = {
  'POST /api/auth/organization/create': () => ({ body: newOrganization() }),
  'POST /api/auth/organization/switch': ({ organizationId }) => ({ body: { organizationId } }),
  'GET /api/auth/organization/list': () => ({}),
  'GET /api/auth/organization/permissions': () => ({}),
  'GET /api/auth/organization/{organizationId}': own,
  'GET /api/auth/organization/{organizationId}/usage': own,
  'GET /api/auth/organization/{organizationId}/export': async (tenant) => ({
    ...own(tenant),
    by: await recentOwner(tenant),
  }),
  'PATCH /api/auth/organization/{organizationId}': (tenant) => ({
    ...own(tenant),
    body: { name: `Engines ${randomUUID()}` },
  }),
  'PUT /api/auth/organization/{organizationId}/logo': (tenant) => ({ ...own(tenant), file: logo }),
  'GET /api/auth/organization/{organizationId}/logo': withLogo,
  'DELETE /api/auth/organization/{organizationId}/logo': withLogo,
  'DELETE /api/auth/organization/{organizationId}': async ({ api, owner }) => {
    const { organization } = await api.call<{ organization: { id: string } }>(
      'POST /api/auth/organization/create',
      newOrganization(),
      owner,
    );
    return { path: { organizationId: organization.id } };
  },
};

const memberRequests: PreparedRequests = {
  'GET /api/auth/organization/{organizationId}/members': own,
  'PATCH /api/auth/organization/{organizationId}/members/{userId}': async (tenant) => ({
    path: (await newMember(tenant)).path,
    body: { role: 'admin' },
  }),
  'DELETE /api/auth/organization/{organizationId}/members/{userId}': async (tenant) => ({
    path: (await newMember(tenant)).path,
  }),
  'POST /api/auth/organization/{organizationId}/members/{userId}/disable': async (tenant) => ({
    path: (await newMember(tenant)).path,
  }),
  'POST /api/auth/organization/{organizationId}/members/{userId}/enable': async (tenant) => {
    const { path } = await newMember(tenant);
    const account = `/api/auth/organization/${path.organizationId}/members/${path.userId}`;
    await tenant.api.call(`POST ${account}/disable` as `POST /${string}`, undefined, tenant.owner);
    return { path };
  },
  'POST /api/auth/organization/{organizationId}/members/{userId}/reset-two-factor': async (tenant) => {
    const { person, path } = await newMember(tenant);
    await withTwoFactor(tenant.api, person);
    return { path };
  },
  'POST /api/auth/organization/{organizationId}/leave': async (tenant) => ({
    ...own(tenant),
    by: await tenant.join('member'),
  }),
  'POST /api/auth/organization/{organizationId}/invitations': (tenant) => ({
    ...own(tenant),
    body: { email: newEmail(), role: 'member' },
  }),
  'GET /api/auth/organization/{organizationId}/invitations': own,
  'DELETE /api/auth/organization/{organizationId}/invitations/{invitationId}': async ({
    organizationId,
    invite,
  }) => {
    const { id: invitationId } = await invite(newEmail());
    return { path: { organizationId, invitationId } };
  },
  'GET /api/auth/organization/{organizationId}/audit': (tenant) => ({
    ...own(tenant),
    query: { action: 'session.started', pageSize: '5' },
  }),
  'GET /api/auth/audit': () => ({ query: { action: 'session.started' } }),
  'GET /api/auth/invitations/{token}': async ({ invite }) => {
    const { token } = await invite(newEmail());
    return { path: { token } };
  },
  'POST /api/auth/invitations/accept': async ({ api, invite }) => {
    const by = await api.signUp();
    const { token } = await invite(by.email);
    return { by, body: { token } };
  },
  'POST /api/auth/invitations/reject': async ({ invite }) => {
    const { token } = await invite(newEmail());
    return { body: { token } };
  },
};

const accountsOf = ({ organizationId }: Tenant) =>
  `/api/auth/organization/${organizationId}/service-accounts` as const;
const keyBody = ({ owner }: Tenant) => ({
  name: 'Server',
  expiresAt: new Date(Date.now() + 60 * 60_000).toISOString(),
  password: owner.password,
});

/** The name of service accounts that are not in the way of others. */
export const lastingName = 'Program of the matrix';

/** Deletes the accounts of earlier requests before there are as many as there may be. */
async function makeRoom(tenant: Tenant): Promise<void> {
  const { api, owner } = tenant;
  const path = accountsOf(tenant);
  const { serviceAccounts } = await api.call<{ serviceAccounts: readonly { id: string; name: string }[] }>(
    `GET ${path}`,
    undefined,
    owner,
  );
  if (serviceAccounts.length < 15) return;
  for (const { id } of serviceAccounts.filter(({ name }) => name !== lastingName))
    await api.call(`DELETE ${path}/${id}`, undefined, owner);
}

async function newServiceAccount(tenant: Tenant, { role = 'member', name = 'Nightly import' } = {}) {
  await makeRoom(tenant);
  const { serviceAccount } = await tenant.api.call<{ serviceAccount: { id: string } }>(
    `POST ${accountsOf(tenant)}`,
    { name, role },
    tenant.owner,
  );
  return { organizationId: tenant.organizationId, accountId: serviceAccount.id };
}

/** A key of a new service account. */
export async function newKey(tenant: Tenant, account: { role?: string; name?: string } = {}) {
  const path = await newServiceAccount(tenant, account);
  const { key, apiKey } = await tenant.api.call<{ key: string; apiKey: { id: string } }>(
    `POST ${accountsOf(tenant)}/${path.accountId}/keys`,
    keyBody(tenant),
    tenant.owner,
  );
  return { key, path: { ...path, keyId: apiKey.id } };
}

const serviceAccountRequests: PreparedRequests = {
  'GET /api/auth/organization/{organizationId}/service-accounts': own,
  'POST /api/auth/organization/{organizationId}/service-accounts': async (tenant) => {
    await makeRoom(tenant);
    return { ...own(tenant), body: { name: 'Nightly import', role: 'admin' } };
  },
  'PATCH /api/auth/organization/{organizationId}/service-accounts/{accountId}': async (tenant) => ({
    path: await newServiceAccount(tenant),
    body: { name: 'Import', role: 'admin', password: tenant.owner.password },
  }),
  'DELETE /api/auth/organization/{organizationId}/service-accounts/{accountId}': async (tenant) => ({
    path: await newServiceAccount(tenant),
  }),
  'POST /api/auth/organization/{organizationId}/service-accounts/{accountId}/keys': async (tenant) => ({
    path: await newServiceAccount(tenant),
    body: keyBody(tenant),
  }),
  'DELETE /api/auth/organization/{organizationId}/service-accounts/{accountId}/keys/{keyId}': async (
    tenant,
  ) => ({ path: (await newKey(tenant)).path }),
  'POST /api/auth/service-token': async (tenant) => ({ body: { key: (await newKey(tenant)).key } }),
};

const domainsOf = ({ organizationId }: Tenant) => `/api/auth/organization/${organizationId}/domains` as const;

interface AddedDomain {
  readonly id: string;
  readonly record: { readonly name: string; readonly value: string };
}

/** Deletes the domains of earlier requests before there are as many as there may be. */
async function makeRoomForDomain(tenant: Tenant): Promise<void> {
  const { api, owner } = tenant;
  const path = domainsOf(tenant);
  const { domains } = await api.call<{ domains: readonly AddedDomain[] }>(`GET ${path}`, undefined, owner);
  if (domains.length < 15) return;
  for (const { id } of domains) await api.call(`DELETE ${path}/${id}`, undefined, owner);
}

const domainBody = ({ owner }: Tenant) => ({
  domain: `${randomUUID()}.example`,
  joins: 'member',
  password: owner.password,
});

/** A new domain, whose record is there. */
async function newDomain(tenant: Tenant) {
  await makeRoomForDomain(tenant);
  const body = domainBody(tenant);
  const { domain } = await tenant.api.call<{ domain: AddedDomain }>(
    `POST ${domainsOf(tenant)}`,
    body,
    tenant.owner,
  );
  await addRecord(tenant.api.services.zoneDirectory, domain.record);
  const path = { organizationId: tenant.organizationId, domainId: domain.id };
  return { path, name: body.domain };
}

const domainRequests: PreparedRequests = {
  'GET /api/auth/organization/{organizationId}/domains': own,
  'POST /api/auth/organization/{organizationId}/domains': async (tenant) => {
    await makeRoomForDomain(tenant);
    return { ...own(tenant), body: domainBody(tenant) };
  },
  'POST /api/auth/organization/{organizationId}/domains/{domainId}/verify': async (tenant) => ({
    path: (await newDomain(tenant)).path,
  }),
  'PATCH /api/auth/organization/{organizationId}/domains/{domainId}': async (tenant) => ({
    path: (await newDomain(tenant)).path,
    body: { joins: 'nobody' },
  }),
  'DELETE /api/auth/organization/{organizationId}/domains/{domainId}': async (tenant) => ({
    path: (await newDomain(tenant)).path,
  }),
  'GET /api/auth/organization/joinable': () => ({}),
  'POST /api/auth/organization/join': async (tenant) => {
    const { api, organizationId, owner } = tenant;
    const { path, name } = await newDomain(tenant);
    await api.call(`POST ${domainsOf(tenant)}/${path.domainId}/verify`, undefined, owner);
    const by = await api.signUp({ email: `robin@${name}` });
    await api.confirm(by);
    return { by, body: { organizationId } };
  },
};

const connectionsOf = ({ organizationId }: Tenant) =>
  `/api/auth/organization/${organizationId}/connections` as const;

interface BegunConnection {
  readonly id: string;
  readonly redirectUri: string;
}

/** A new connection; those of earlier requests are deleted: there may be five, of which one is on. */
async function newConnection(tenant: Tenant, kind = 'oidc') {
  const { api, organizationId, owner } = tenant;
  const path = connectionsOf(tenant);
  const { connections } = await api.call<{ connections: BegunConnection[] }>(`GET ${path}`, undefined, owner);
  for (const { id } of connections) await api.call(`DELETE ${path}/${id}`, undefined, owner);
  const body = { kind, name: 'IdP' };
  const { connection } = await api.call<{ connection: BegunConnection }>(`POST ${path}`, body, owner);
  return { path: { organizationId, connectionId: connection.id }, redirectUri: connection.redirectUri };
}

const saml = {
  entityId: 'https://idp.example/saml',
  ssoUrl: 'https://idp.example/sso',
  certificates: [selfSigned({ key: 'P-256' }).certificate],
};

/** A new connection of SAML, with a certificate. */
async function samlConnection(tenant: Tenant) {
  const { api, owner } = tenant;
  const { path } = await newConnection(tenant, 'saml');
  const body = { saml, password: owner.password };
  await api.call(`PATCH ${connectionsOf(tenant)}/${path.connectionId}`, body, owner);
  return { path };
}

/** A new connection of SAML that is on, and the domain that it speaks for. */
export async function liveSamlConnection(tenant: Tenant, idp: typeof saml) {
  const { api, owner } = tenant;
  const { path: ofDomain, name: domain } = await newDomain(tenant);
  await api.call(`POST ${domainsOf(tenant)}/${ofDomain.domainId}/verify`, undefined, owner);
  const { path, redirectUri } = await newConnection(tenant, 'saml');
  const body = { saml: idp, enabled: true, password: owner.password };
  await api.call(`PATCH ${connectionsOf(tenant)}/${path.connectionId}`, body, owner);
  return { redirectUri, domain };
}

/** A new connection that is on, and an address that it speaks for. */
async function liveConnection(tenant: Tenant) {
  const { api, owner } = tenant;
  const { path: ofDomain, name } = await newDomain(tenant);
  await api.call(`POST ${domainsOf(tenant)}/${ofDomain.domainId}/verify`, undefined, owner);
  const { path, redirectUri } = await newConnection(tenant);
  const { password } = owner;
  const client = { issuer: await api.issuer(), clientId: 'matrix', clientSecret: newPassword() };
  const body = { ...client, enabled: true, password };
  await api.call(`PATCH ${connectionsOf(tenant)}/${path.connectionId}`, body, owner);
  return { path, redirectUri, email: `${randomUUID()}@${name}` };
}

/** Another owner, with a second factor. */
async function ownerWithTwoFactor(tenant: Tenant) {
  return withTwoFactor(tenant.api, await furtherOwner(tenant));
}

const { redirectTo, codeChallenge } = socialVisit(`${ownOrigin}/signed-in`);
/** How a program begins a visit. */
export const visit = { redirectTo, codeChallenge };

/** The ticket of an owner, who links the IdP. */
async function linkTicket(tenant: Tenant) {
  const { api } = tenant;
  const live = await liveConnection(tenant);
  const by = await ownerWithTwoFactor(tenant);
  const at = `POST ${connectionsOf(tenant)}/${live.path.connectionId}` as const;
  const { url } = await api.call<{ url: string }>(`${at}/link`, visit, by);
  return { by, path: live.path, at, live, body: { ticket: await api.ssoTicket(url, live), codeVerifier } };
}

/** The one connection of a tenant, and an owner who has linked it and has another ticket. */
async function linkedConnection(tenant: Tenant) {
  const { by, path, at, live, body } = await linkTicket(tenant);
  await tenant.api.call(`${at}/identity`, body, by);
  const { url } = await tenant.api.call<{ url: string }>(`${at}/link`, visit, by);
  return { by, path, ticket: { ticket: await tenant.api.ssoTicket(url, live), codeVerifier } };
}

/**
 * Requests about one connection of each tenant, for tests that prepare all of them before they send any: of those below, each
 * deletes the connections of the others.
 */
export function requestsOfOneConnection(): PreparedRequests {
  const prepared = new WeakMap<Tenant, ReturnType<typeof linkedConnection>>();
  const of = (tenant: Tenant) => {
    const connection = prepared.get(tenant) ?? linkedConnection(tenant);
    prepared.set(tenant, connection);
    return connection;
  };
  const connections = '/api/auth/organization/{organizationId}/connections';
  const one = `${connections}/{connectionId}`;
  return {
    [`POST ${connections}`]: (tenant) => ({ ...own(tenant), body: { kind: 'okta', name: 'Okta' } }),
    [`PATCH ${one}`]: async (tenant) => ({
      path: (await of(tenant)).path,
      body: { name: 'Company IdP', password: tenant.owner.password },
    }),
    [`DELETE ${one}`]: async (tenant) => ({ path: (await of(tenant)).path }),
    [`POST ${one}/test`]: async (tenant) => ({ path: (await of(tenant)).path }),
    [`POST ${one}/link`]: async (tenant) => {
      const { by, path } = await of(tenant);
      return { by, path, body: visit };
    },
    [`POST ${one}/identity`]: async (tenant) => {
      const { by, path, ticket } = await of(tenant);
      return { by, path, body: ticket };
    },
    [`DELETE ${one}/identity`]: async (tenant) => {
      const { by, path } = await of(tenant);
      return { by, path };
    },
    [`PATCH ${one}/groups/{groupId}`]: async (tenant) => ({
      path: { ...(await of(tenant)).path, groupId: randomUUID() },
      body: { role: 'admin', password: tenant.owner.password },
    }),
    [`POST ${one}/scim-tokens`]: async (tenant) => ({
      path: (await of(tenant)).path,
      body: { password: tenant.owner.password },
    }),
    [`DELETE ${one}/scim-tokens/{tokenId}`]: async (tenant) => ({
      path: { ...(await of(tenant)).path, tokenId: randomUUID() },
    }),
  };
}

/** A token of the directory behind a new connection, and where it provisions. */
export async function newDirectory(tenant: Tenant) {
  const { api, owner } = tenant;
  const { path: ofDomain, name: domain } = await newDomain(tenant);
  await api.call(`POST ${domainsOf(tenant)}/${ofDomain.domainId}/verify`, undefined, owner);
  const { path } = await newConnection(tenant);
  const { token, scimToken } = await api.call<{ token: string; scimToken: { id: string } }>(
    `POST ${connectionsOf(tenant)}/${path.connectionId}/scim-tokens`,
    { password: owner.password },
    owner,
  );
  const at = `/api/auth/scim/v2/${path.organizationId}/${path.connectionId}`;
  return { path: { ...path, tokenId: scimToken.id }, token, at, domain };
}

/** A group of a new directory. */
async function newGroup(tenant: Tenant) {
  const { path, token, at } = await newDirectory(tenant);
  const { text } = await send(tenant.api.services.urlOf('auth-service'), {
    method: 'POST',
    path: `${at}/Groups`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ displayName: 'Sales' }),
  });
  const { id: groupId } = JSON.parse(text) as { id: string };
  return { organizationId: path.organizationId, connectionId: path.connectionId, groupId };
}

const connectionRequests: PreparedRequests = {
  'GET /api/auth/organization/{organizationId}/connections/{connectionId}/groups': async (tenant) => ({
    path: (await newConnection(tenant)).path,
  }),
  'PATCH /api/auth/organization/{organizationId}/connections/{connectionId}/groups/{groupId}': async (
    tenant,
  ) => ({ path: await newGroup(tenant), body: { role: 'admin', password: tenant.owner.password } }),
  'GET /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens': async (tenant) => ({
    path: (await newConnection(tenant)).path,
  }),
  'POST /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens': async (tenant) => ({
    path: (await newConnection(tenant)).path,
    body: { password: tenant.owner.password },
  }),
  'DELETE /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens/{tokenId}': async (
    tenant,
  ) => ({ path: (await newDirectory(tenant)).path }),
  'GET /api/auth/organization/{organizationId}/connections': own,
  'POST /api/auth/organization/{organizationId}/connections': async (tenant) => {
    await newConnection(tenant);
    return { ...own(tenant), body: { kind: 'saml', name: 'IdP' } };
  },
  'GET /api/auth/organization/{organizationId}/connections/{connectionId}': async (tenant) => ({
    path: (await samlConnection(tenant)).path,
  }),
  'GET /api/auth/organization/{organizationId}/connections/{connectionId}/arrivals': async (tenant) => ({
    path: (await newConnection(tenant)).path,
  }),
  'PATCH /api/auth/organization/{organizationId}/connections/{connectionId}': async (tenant) => ({
    path: (await newConnection(tenant, 'saml')).path,
    body: { name: 'Company IdP', saml, provesSecondFactor: true, password: tenant.owner.password },
  }),
  'DELETE /api/auth/organization/{organizationId}/connections/{connectionId}': async (tenant) => ({
    path: (await newConnection(tenant)).path,
  }),
  'POST /api/auth/organization/{organizationId}/connections/{connectionId}/test': async (tenant) => ({
    path: (await liveConnection(tenant)).path,
  }),
  'POST /api/auth/organization/{organizationId}/connections/{connectionId}/link': async (tenant) => ({
    path: (await liveConnection(tenant)).path,
    by: await ownerWithTwoFactor(tenant),
    body: visit,
  }),
  'POST /api/auth/organization/{organizationId}/connections/{connectionId}/identity': async (tenant) => {
    const { by, path, body } = await linkTicket(tenant);
    return { by, path, body };
  },
  'DELETE /api/auth/organization/{organizationId}/connections/{connectionId}/identity': async (tenant) => {
    const { by, path, at, body } = await linkTicket(tenant);
    await tenant.api.call(`${at}/identity`, body, by);
    return { by, path };
  },
  'GET /api/auth/organization/{organizationId}/sso-requirement': own,
  'PUT /api/auth/organization/{organizationId}/sso-requirement': (tenant) => ({
    ...own(tenant),
    body: { required: false, password: tenant.owner.password },
  }),
  'POST /api/auth/sign-in/sso': async (tenant) => ({
    body: { email: (await liveConnection(tenant)).email, ...visit },
  }),
  'POST /api/auth/sign-in/sso/ticket': async (tenant) => {
    const { api } = tenant;
    const { email, redirectUri } = await liveConnection(tenant);
    const { url } = await api.call<{ url: string }>('POST /api/auth/sign-in/sso', { email, ...visit });
    const ticket = await api.ssoTicket(url, { redirectUri, email });
    // On the device that began.
    return { by: await api.signUp(), body: { ticket, codeVerifier } };
  },
};

const twoFactorRequests: PreparedRequests = {
  'GET /api/auth/two-factor': () => ({}),
  'POST /api/auth/two-factor/enable': async ({ api }) => {
    const by = await api.signUp();
    return { by, body: { password: by.password } };
  },
  'POST /api/auth/two-factor/verify-totp': async ({ api }) => {
    const { person: by, code } = await enrolling(api);
    return { by, body: { code } };
  },
  'POST /api/auth/two-factor/verify-backup-code': async ({ api }) => {
    const by = await withTwoFactor(api);
    return { by, body: { code: by.backupCode, challengeToken: await challengeFor(api, by) } };
  },
  'POST /api/auth/two-factor/passkey/options': async ({ api }) => ({ by: (await withPasskey(api)).person }),
  'POST /api/auth/two-factor/verify-passkey': async ({ api }) => {
    const { person: by, authenticator } = await withPasskey(api);
    await api.call('POST /api/auth/two-factor/enable', { method: 'passkey', password: by.password }, by);
    return { by, body: { response: await askedPasskey(api, by, authenticator) } };
  },
  'POST /api/auth/two-factor/disable': async ({ api }) => {
    const by = await withTwoFactor(api);
    return { by, body: { password: by.password, code: by.nextCode } };
  },
  'POST /api/auth/two-factor/backup-codes': async ({ api }) => ({ by: await withTwoFactor(api) }),
};

export const requests: PreparedRequests = {
  ...accountRequests,
  ...sessionRequests,
  ...organizationRequests,
  ...memberRequests,
  ...serviceAccountRequests,
  ...domainRequests,
  ...connectionRequests,
  ...twoFactorRequests,
  'GET /api/auth/health': () => ({}),
  'GET /api/auth/jwks': () => ({}),
  'GET /api/auth/.well-known/jwks.json': () => ({}),
  'GET /.well-known/jwks.json': () => ({}),
};
