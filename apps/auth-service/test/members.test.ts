import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, refresh, send, signUp } from './support/client.ts';
import {
  ask,
  enter,
  found,
  foundCompany,
  mailedInvitation,
  personalOrganizationOf,
  rolesIn,
  switchTo,
  traces,
} from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;

interface MemberList {
  readonly members: readonly { readonly userId: string; readonly name: string }[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}
const list = (organizationId: string, token: string, query = '') =>
  ask<MemberList>(service, `GET /organization/${organizationId}/members${query}`, { token });
const setRole = (organizationId: string, userId: string, options: { token: string; role: unknown }) =>
  ask<{ member: { role: string } }>(service, `PATCH /organization/${organizationId}/members/${userId}`, {
    token: options.token,
    body: { role: options.role },
  });
const remove = (organizationId: string, userId: string, token: string) =>
  ask(service, `DELETE /organization/${organizationId}/members/${userId}`, { token });
const leave = (organizationId: string, token: string) =>
  ask(service, `POST /organization/${organizationId}/leave`, { token });

describe('GET /organization/:organizationId/members', () => {
  test('lists the members, who joined first first, to any of them', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    const { status, body } = await list(id, member.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      members: [[owner, 'owner'] as const, [admin, 'admin'] as const, [member, 'member'] as const].map(
        ([user, role]) => ({
          userId: user.id,
          name: user.name,
          email: user.email,
          role,
          disabled: false,
          createdAt: anyString,
        }),
      ),
      total: 3,
      page: 1,
      pageSize: 10,
    });
  });

  test('gives a page, and the exact total on every page, an empty one too', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    const first = await list(id, owner.token, '?pageSize=2');
    const second = await list(id, owner.token, '?page=2&pageSize=2');
    const beyond = await list(id, owner.token, '?page=999999999999&pageSize=100');
    expect(first.body.members.map(({ userId }) => userId)).toEqual([owner.id, admin.id]);
    expect(second.body).toMatchObject({ members: [{ userId: member.id }], total: 3, page: 2, pageSize: 2 });
    expect(beyond.body).toMatchObject({ members: [], total: 3 });
  });

  test.each([
    ['page', '?page=0'],
    ['pageSize', '?pageSize=101'],
    ['pageSize', '?pageSize=1e1'],
    ['sort', '?sort=name'],
  ])('refuses a bad %s with 400 and names it', async (field, query) => {
    const { id, owner } = await foundCompany(service);
    const { status, body } = await list(id, owner.token, query);
    expect(status).toBe(400);
    expect(body.details[0]?.field).toBe(field);
  });
});

describe('GET /organization/:organizationId/members?search=', () => {
  test.each([
    ['owner', ['Olga Owner']],
    ['ADAM', ['Adam Admin']],
    ['mîa', ['Mia Member']],
    ['m', ['Adam Admin', 'Mia Member', 'Olga Owner']],
    ['øłga', ['Olga Owner']],
    ['owner olga', []],
    ['%', []],
    ['nothing at all', []],
  ])('finds %j in any part of name or address', async (search, names) => {
    const { id, member } = await foundCompany(service);
    const query = new URLSearchParams({ search, pageSize: '2' }).toString();
    const { status, body } = await ask<{ members: { name: string }[]; total: number }>(
      service,
      `GET /organization/${id}/members?${query}`,
      { token: member.token },
    );
    expect(status).toBe(200);
    expect(body.total).toBe(names.length);
    expect(body.members.length).toBe(Math.min(2, names.length));
    for (const { name } of body.members) expect(names).toContain(name);
  });

  test('finds an address, and no user of another organization [S-66]', async () => {
    const [{ id, owner, member }, other] = [await foundCompany(service), await foundCompany(service)];
    const find = async (search: string) => {
      const path = `GET /organization/${id}/members?${new URLSearchParams({ search }).toString()}`;
      return (await ask<{ members: { userId: string }[] }>(service, path, { token: owner.token })).body
        .members;
    };
    expect((await find(member.email.toUpperCase())).map(({ userId }) => userId)).toEqual([member.id]);
    expect(await find(other.member.email)).toEqual([]);
  });
});

describe('who can sign in with two factors', () => {
  test('is shown to admins only, who can list those with it and those without', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    await sql(
      `INSERT INTO two_factor (user_id, encrypted_secret, secret_id, enabled_at, created_at)
       VALUES ($1, decode(repeat('00', 60), 'hex'), 'x', now(), now())`,
      [owner.id],
    );
    const namesOf = async (query: string) =>
      (await list(id, admin.token, query)).body.members.map(({ name }) => name);
    expect((await list(id, admin.token)).body.members).toMatchObject([
      { userId: owner.id, twoFactor: true },
      { userId: admin.id, twoFactor: false },
      { userId: member.id, twoFactor: false },
    ]);
    expect(await namesOf('?twoFactor=on')).toEqual([owner.name]);
    expect(await namesOf('?twoFactor=off&search=m')).toEqual([admin.name, member.name]);
    expect((await list(id, admin.token, '?twoFactor=off&pageSize=1')).body.total).toBe(2);
    for (const each of (await list(id, member.token)).body.members) {
      expect(each).not.toHaveProperty('twoFactor');
    }
    expect(await list(id, member.token, '?twoFactor=off')).toMatchObject({ status: 403 });

    await sql('DELETE FROM two_factor WHERE user_id = $1', [owner.id]);
    expect(await namesOf('?twoFactor=on')).toEqual([]);
    await sql(
      `INSERT INTO passkeys (user_id, id, credential_id, public_key, counter, rp_id, backup_eligible, backed_up, name, created_at)
       VALUES ($1, gen_random_uuid(), '1', decode(repeat('00', 40), 'hex'), 0, 'localhost', false, false, 'Key', now())`,
      [admin.id],
    );
    expect(await namesOf('?twoFactor=on')).toEqual([admin.name]);
  });
});

describe('PATCH /organization/:organizationId/members/:userId', () => {
  test('changes the role, revokes earlier tokens, and publishes the change [S-70]', async () => {
    const { id, owner, member } = await foundCompany(service);
    const before = await switchTo(service, member.token, id);
    const { status, body } = await setRole(id, member.id, { token: owner.token, role: 'admin' });

    expect(status).toBe(200);
    expect(body).toEqual({
      member: {
        userId: member.id,
        name: member.name,
        email: member.email,
        role: 'admin',
        disabled: false,
        twoFactor: false,
        createdAt: anyString,
      },
    });
    const { revoked, events, audit } = await traces(service, { organizationId: id, userId: member.id });
    expect(revoked).toEqual(['member']);
    expect(events).toEqual([
      {
        type: 'member.role-changed',
        payload: {
          organizationId: id,
          userId: member.id,
          email: member.email,
          emailVerified: false,
          name: member.name,
          familyName: null,
          role: 'admin',
          disabled: false,
          createdAt: anyString,
        },
      },
    ]);
    expect(audit).toEqual([
      {
        action: 'member.role-changed',
        actor: owner.id,
        target: member.id,
        details: { from: 'member', to: 'admin' },
      },
    ]);
    const [{ issued_before: issuedBefore } = {}] = await sql('SELECT * FROM revocations WHERE sub = $1', [
      member.id,
    ]);
    expect(Number(claimsOf(before)['iat'])).toBeLessThan((issuedBefore as Date).getTime() / 1_000);
    const after = await refresh(app, member.refreshToken);
    expect(claimsOf(after.body.session.token)).toMatchObject({ organizationId: id, role: 'admin' });
    expect(Number(claimsOf(after.body.session.token)['iat'])).toBeGreaterThanOrEqual(
      (issuedBefore as Date).getTime() / 1_000,
    );
  });

  test('changes nothing where the role is the one held', async () => {
    const { id, owner, admin } = await foundCompany(service);
    expect((await setRole(id, admin.id, { token: owner.token, role: 'admin' })).status).toBe(200);
    expect((await setRole(id, owner.id, { token: owner.token, role: 'owner' })).status).toBe(200);
    expect(await traces(service, { organizationId: id, userId: admin.id })).toMatchObject({
      revoked: [],
      events: [],
    });
  });

  test('lets an owner hand the ownership over and step down', async () => {
    const { id, owner, member } = await foundCompany(service);
    expect((await setRole(id, member.id, { token: owner.token, role: 'owner' })).status).toBe(200);
    expect((await setRole(id, owner.id, { token: owner.token, role: 'member' })).status).toBe(200);
    expect(await rolesIn(service, id)).toMatchObject({ 'Olga Owner': 'member', 'Mia Member': 'owner' });
  });

  test('lets an admin make admins and members, and step down', async () => {
    const { id, admin, member } = await foundCompany(service);
    expect((await setRole(id, member.id, { token: admin.token, role: 'admin' })).status).toBe(200);
    expect((await setRole(id, member.id, { token: admin.token, role: 'member' })).status).toBe(200);
    expect((await setRole(id, admin.id, { token: admin.token, role: 'member' })).status).toBe(200);
  });

  test('lets an admin make no owner, nor touch one [S-114]', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    for (const [userId, role] of [
      [member.id, 'owner'],
      [admin.id, 'owner'],
      [owner.id, 'member'],
    ] as const) {
      const { status, body } = await setRole(id, userId, { token: admin.token, role });
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    }
    expect(await rolesIn(service, id)).toEqual({
      'Olga Owner': 'owner',
      'Adam Admin': 'admin',
      'Mia Member': 'member',
    });
  });

  test('does not let a member change anyone', async () => {
    const { id, owner, member } = await foundCompany(service);
    for (const userId of [owner.id, member.id, randomUUID()]) {
      expect((await setRole(id, userId, { token: member.token, role: 'member' })).status).toBe(403);
    }
  });

  test('keeps the last owner', async () => {
    const { id, owner } = await foundCompany(service);
    const { status, body } = await setRole(id, owner.id, { token: owner.token, role: 'admin' });
    expect(status).toBe(409);
    expect(body).toEqual({ code: 'LAST_OWNER', message: anyString, requestId: anyString });
  });

  test('finds no one who is not a member', async () => {
    const { id, owner } = await foundCompany(service);
    const stranger = await signUp(app);
    for (const userId of [stranger.id, randomUUID()]) {
      const { status, body } = await setRole(id, userId, { token: owner.token, role: 'admin' });
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });

  test.each([
    ['role', { role: 'king' }],
    ['role', {}],
    ['role', { role: ['owner'] }],
    ['userId', { role: 'admin', userId: randomUUID() }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const { id, owner, member } = await foundCompany(service);
    const path = `PATCH /organization/${id}/members/${member.id}`;
    const answer = await ask(service, path, { token: owner.token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]?.field).toBe(field);
  });
});

describe('DELETE /organization/:organizationId/members/:userId', () => {
  test('removes a member, whose tokens end and whose sessions continue in another organization', async () => {
    const { id, admin, member } = await foundCompany(service);
    await switchTo(service, member.token, id);
    const answer = await remove(id, member.id, admin.token);

    expect(answer.status).toBe(204);
    expect(answer.body).toBeUndefined();
    expect(await rolesIn(service, id)).not.toHaveProperty('Mia Member');
    const { revoked, events, audit } = await traces(service, { organizationId: id, userId: member.id });
    expect(revoked).toEqual(['member']);
    expect(events).toEqual([{ type: 'member.removed', payload: { organizationId: id, userId: member.id } }]);
    expect(audit).toEqual([
      { action: 'member.removed', actor: admin.id, target: member.id, details: { role: 'member' } },
    ]);
    const refreshed = await refresh(app, member.refreshToken);
    expect(claimsOf(refreshed.body.session.token)).toMatchObject({
      organizationId: personalOrganizationOf(member),
      role: 'owner',
    });
    const back = await send(app, 'POST /organization/switch', {
      token: refreshed.body.session.token,
      body: { organizationId: id },
    });
    expect(back.status).toBe(404);
  });

  test("publishes the member's id in its canonical form, in whichever case it was typed", async () => {
    const { id, owner, member } = await foundCompany(service);
    expect((await remove(id.toUpperCase(), member.id.toUpperCase(), owner.token)).status).toBe(204);
    const { events, audit } = await traces(service, { organizationId: id, userId: member.id });
    expect(events).toEqual([{ type: 'member.removed', payload: { organizationId: id, userId: member.id } }]);
    expect(audit).toMatchObject([{ action: 'member.removed', target: member.id }]);
  });

  test('gives a user who loses the last membership a personal organization', async () => {
    const { id, owner, member } = await foundCompany(service);
    await switchTo(service, member.token, id);
    await sql('DELETE FROM organizations WHERE id = $1', [personalOrganizationOf(member)]);
    expect((await remove(id, member.id, owner.token)).status).toBe(204);

    const refreshed = await refresh(app, member.refreshToken);
    const { organizationId, organizationName, role } = claimsOf(refreshed.body.session.token);
    expect({ organizationName, role }).toEqual({
      organizationName: "Mia Member's organization",
      role: 'owner',
    });
    const { events } = await traces(service, { organizationId: String(organizationId), userId: member.id });
    expect(events).toMatchObject([{ type: 'member.added', payload: { role: 'owner' } }]);
    const organizations = await sql(`SELECT type FROM events WHERE organization = $1 ORDER BY id`, [
      organizationId,
    ]);
    expect(organizations.map(({ type }) => type)).toEqual(['organization.created', 'member.added']);
    const recorded = await sql(
      `SELECT action, actor_kind, actor_user_id, actor_name FROM audit_events WHERE organization_id = $1`,
      [organizationId],
    );
    expect(recorded).toEqual([
      {
        ...{ action: 'organization.created', actor_kind: 'job', actor_user_id: null },
        actor_name: 'personal-organizations',
      },
    ]);
  });

  test('is refused to lower roles, and for owners to all but owners', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    expect((await remove(id, admin.id, member.token)).status).toBe(403);
    expect((await remove(id, owner.id, admin.token)).status).toBe(403);
    expect((await remove(id, owner.id, owner.token)).body.code).toBe('LAST_OWNER');
    await sql(`UPDATE members SET role = 'owner' WHERE organization_id = $1 AND user_id = $2`, [
      id,
      member.id,
    ]);
    expect((await remove(id, owner.id, member.token)).status).toBe(204);
  });

  test('finds no one who is not a member', async () => {
    const { id, owner } = await foundCompany(service);
    const stranger = await signUp(app);
    for (const userId of [stranger.id, randomUUID()]) {
      expect((await remove(id, userId, owner.token)).status).toBe(404);
    }
    expect((await remove(id, 'me', owner.token)).body.details[0]?.field).toBe('userId');
  });

  test('a user who rejoins gets tokens that are accepted', async () => {
    const { id, owner, member } = await foundCompany(service);
    await remove(id, member.id, owner.token);
    const [{ issued_before: issuedBefore } = {}] = await sql('SELECT * FROM revocations WHERE sub = $1', [
      member.id,
    ]);
    const invited = await ask(service, `POST /organization/${id}/invitations`, {
      token: owner.token,
      body: { email: member.email, role: 'member' },
    });
    expect(invited.status).toBe(201);

    const token = await mailedInvitation(service, member.email);
    const accepted = await ask(service, 'POST /invitations/accept', { token: member.token, body: { token } });
    expect(accepted.status).toBe(200);
    const claims = claimsOf(await switchTo(service, member.token, id));
    expect(Number(claims['iat'])).toBeGreaterThanOrEqual((issuedBefore as Date).getTime() / 1_000);
  });
});

describe('POST /organization/:organizationId/leave', () => {
  test("ends the caller's membership", async () => {
    const { id, member } = await foundCompany(service);
    const token = await switchTo(service, member.token, id);
    const answer = await leave(id, token);
    expect(answer.status).toBe(204);
    expect(answer.body).toBeUndefined();
    const { revoked, audit } = await traces(service, { organizationId: id, userId: member.id });
    expect(revoked).toEqual(['member']);
    expect(audit).toMatchObject([{ action: 'member.left', actor: member.id, target: member.id }]);
    const session = await send(app, 'GET /session', { token });
    expect(session.body.organization).toBeNull();
    expect(claimsOf((await refresh(app, member.refreshToken)).body.session.token)).toMatchObject({
      organizationId: personalOrganizationOf(member),
    });
  });

  test('is refused to the last owner, also of an organization without other members', async () => {
    const { id, owner } = await foundCompany(service);
    expect((await leave(id, owner.token)).body.code).toBe('LAST_OWNER');
    const { status } = await leave(personalOrganizationOf(owner), owner.token);
    expect(status).toBe(409);
  });

  test('without personal organizations leaves an account without one', async () => {
    const other = await startService({ settings: { PERSONAL_ORGANIZATIONS: 'off' } });
    const [ada, eve] = [await signUp(other.app), await signUp(other.app, 'Eve')];
    expect(claimsOf(ada.token)['organizationId']).toBeNull();
    const { id } = await found(other, ada.token);
    await enter(other, id, eve, 'member');
    await switchTo(other, eve.token, id);
    expect((await ask(other, `POST /organization/${id}/leave`, { token: eve.token })).status).toBe(204);
    const refreshed = await refresh(other.app, eve.refreshToken);
    expect(claimsOf(refreshed.body.session.token)).toMatchObject({ organizationId: null, role: null });
    const listed = await send(other.app, 'GET /organization/list', { token: eve.token });
    expect(listed.body.organizations).toEqual([]);
  });
});

test('callers act in the organization of the path with their role there, whichever is active', async () => {
  const { id, owner, member } = await foundCompany(service);
  const away = await foundCompany(service);
  expect((await list(id, owner.token)).status).toBe(200);
  expect((await setRole(id, member.id, { token: member.token, role: 'admin' })).status).toBe(403);
  const uppercase = await list(id.toUpperCase(), owner.token);
  expect(uppercase.body.total).toBe(3);
  const foreign = await list(away.id, owner.token);
  const random = await list(randomUUID(), owner.token);
  expect(foreign.status).toBe(404);
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...random.body, requestId: '' });
});
