import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claimsOf, refresh, send } from './support/client.ts';
import { connectionsOf } from './support/confined.ts';
import { foundCompany, personalOrganizationOf } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;
const connections = connectionsOf(service);
const company = await foundCompany(service);
const organizationId = company.id;
const { member } = company;
const confined = () => connections.start({ userId: member.id, organizationId });

describe('a session that a connection has started', () => {
  test('reaches its organization alone: no other is named, entered or switched to [S-230]', async () => {
    const { token, refreshToken, headers } = await confined();
    expect(claimsOf(token)).toMatchObject({ organizationId, role: 'member', amr: ['sso'], acr: 'aal1' });
    const { body: start } = await send(app, 'GET /start', { token, headers });
    expect(start.session).toMatchObject({ confinedTo: organizationId });
    expect(start.organizations.map(({ id }) => id)).toEqual([organizationId]);
    const { body: list } = await send(app, 'GET /organization/list', { token, headers });
    expect(list.organizations.map(({ id }) => id)).toEqual([organizationId]);

    const own = personalOrganizationOf(member);
    for (const other of [own, randomUUID()]) {
      const switched = await send(app, 'POST /organization/switch', {
        token,
        headers,
        body: { organizationId: other },
      });
      expect([switched.status, switched.body.code]).toEqual([404, 'NOT_FOUND']);
      const entered = await send(app, `GET /organization/${other}`, { token, headers });
      expect([entered.status, entered.body.code]).toEqual([404, 'NOT_FOUND']);
      const renewed = await send(app, 'POST /refresh', {
        body: { refreshToken, organizationId: other },
        headers,
      });
      expect([renewed.status, renewed.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const renewed = await refresh(app, refreshToken, headers);
    expect(claimsOf(renewed.body.session.token)).toMatchObject({ organizationId, role: 'member' });
  });
});

/** What a confined session reaches: everything else that needs a session takes one of the user's own. */
const reached = [
  'getStart',
  'getSession',
  'listOrganizations',
  'switchOrganization',
  'listPermissions',
  // To step the session up.
  'verifyTotp',
  'verifyBackupCode',
  'getPasskeyVerificationOptions',
  'verifyPasskey',
  // Of its organization.
  'getOrganization',
  'getOrganizationUsage',
  'updateOrganization',
  'exportAuthOfOrganization',
  'getOrganizationLogo',
  'putOrganizationLogo',
  'deleteOrganizationLogo',
  'listMembers',
  'changeMemberRole',
  'removeMember',
  'disableMember',
  'enableMember',
  'resetMemberTwoFactor',
  'inviteMember',
  'listInvitations',
  'withdrawInvitation',
  'listOrganizationAuditEvents',
  'listServiceAccounts',
  'createServiceAccount',
  'updateServiceAccount',
  'deleteServiceAccount',
  'createApiKey',
  'deleteApiKey',
];

interface Operation {
  readonly operationId: string;
  readonly route: string;
  readonly isPublic: boolean;
}

/** Every documented operation, with the organization of the company in its path. */
async function operationsOf(): Promise<Operation[]> {
  const document = (await app.inject('/api/auth/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string; security?: unknown[] }>>;
  }>();
  return Object.entries(document.paths).flatMap(([path, methods]) => {
    const url = path.replace('{organizationId}', organizationId).replaceAll(/\{\w+\}/g, () => randomUUID());
    return Object.entries(methods).map(([method, { operationId, security = [] }]) => ({
      operationId,
      route: `${method.toUpperCase()} ${url}`,
      isPublic: security.length === 0,
    }));
  });
}

describe('the routes of the service', () => {
  test('refuse a confined session unless they declare otherwise, whatever its role [S-232]', async () => {
    const operations = (await operationsOf()).filter(
      ({ operationId, isPublic }) => !isPublic || reached.includes(operationId),
    );
    const { token, headers } = await connections.start({ userId: company.owner.id, organizationId });
    const refused: string[] = [];
    for (const { operationId, route } of operations) {
      const { status, body } = await send(app, route, { token, headers });
      if (status === 403 && body.code === 'SIGN_IN_REQUIRED') refused.push(`${operationId} ${status}`);
    }
    const expected = operations.filter(({ operationId }) => !reached.includes(operationId));
    expect(refused.toSorted()).toEqual(expected.map(({ operationId }) => `${operationId} 403`).toSorted());
    expect(operations.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(reached));
  });
});

/** Tokens for an organization that were revoked since, by kind. */
async function revokedIn(organization: string, since: Date): Promise<unknown[]> {
  const rows = await sql(
    `SELECT kind FROM revocations WHERE organization = $1 AND NOT within_organization AND created_at > $2 ORDER BY id`,
    [organization, since],
  );
  return rows.map(({ kind }) => kind);
}

describe('what a connection has started', () => {
  test('ends with it, for each of its users and no other session [S-231]', async () => {
    const connectionId = randomUUID();
    const ended = await Promise.all(
      [company.admin, member, member].map(({ id: userId }) =>
        connections.start({ userId, organizationId, connectionId }),
      ),
    );
    const another = await confined();
    const elsewhere = personalOrganizationOf(company.owner);
    await connections.end({ organizationId: elsewhere, connectionId });
    for (const { token, headers } of ended) {
      expect((await send(app, 'GET /session', { token, headers })).status).toBe(200);
    }
    await connections.end({ organizationId, connectionId });
    for (const { token, refreshToken, headers } of ended) {
      const read = await send(app, 'GET /session', { token, headers });
      expect([read.status, read.body.reason]).toEqual([401, 'SESSION_ENDED']);
      expect((await refresh(app, refreshToken, headers)).status).toBe(401);
    }
    const told = await sql(`SELECT sid FROM revocations WHERE kind = 'session' AND sid = ANY ($1)`, [
      ended.map(({ sessionId }) => sessionId),
    ]);
    expect(told).toHaveLength(ended.length);
    for (const { token } of [another, member, company.admin]) {
      const headers = token === another.token ? another.headers : {};
      expect((await send(app, 'GET /session', { token, headers })).status).toBe(200);
    }
  });

  test('takes no more room when it ends: beyond thirty sessions, one revocation of the organization', async () => {
    const elsewhere = await foundCompany(service);
    const connectionId = randomUUID();
    const { id } = elsewhere;
    for (const { id: userId } of [elsewhere.member, elsewhere.admin]) {
      for (let n = 0; n < 16; n++) {
        await connections.start({ userId, organizationId: id, connectionId });
      }
    }
    const since = new Date();
    await connections.end({ organizationId: id, connectionId });
    expect(await revokedIn(id, since)).toEqual(['organization']);
  });
});
