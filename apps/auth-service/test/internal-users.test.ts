import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newEmail, password, send, signIn, signUp } from './support/client.ts';
import { enter, foundCompany, traces } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, config, sql } = service;
const company = await foundCompany(service);
const organizationId = company.id;
const admin = company.admin;

interface Reply {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly details?: readonly { readonly field: string }[];
    readonly user: { readonly id: string; readonly email: string; readonly name: string };
  };
}

async function ask(method: 'POST' | 'PATCH' | 'DELETE', path: string, options: object = {}): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`,
    'idempotency-key': randomUUID(),
  };
  const { headers: own, body } = options as { headers?: object; body?: object };
  const answer = await app.inject({
    method,
    url: `/internal/users${path}`,
    headers: { ...headers, ...own },
    ...(body ? { payload: body } : {}),
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body || 'null') as Reply['body'] };
}

const newAccount = (changes: object = {}) => ({
  organizationId,
  actorUserId: admin.id,
  email: newEmail(),
  password,
  name: 'Grace Hopper',
  ...changes,
});
const remove = (id: string, request: object = {}) => {
  const query = new URLSearchParams({ organizationId, actorUserId: admin.id, ...request });
  return ask('DELETE', `/${id}?${query.toString()}`);
};
const eventsAbout = async (userId: string) =>
  (await sql('SELECT type FROM events WHERE user_id = $1 ORDER BY id', [userId])).map(({ type }) => type);
/** What the organization's trail says was done to a user, and by whom. */
const recordedOf = async (userId: string) => {
  const { audit } = await traces(service, { organizationId, userId });
  return audit.map(({ action, actor, details }) => [action, actor, details]);
};
const usersWith = (email: string) => sql('SELECT id FROM users WHERE email = $1', [email]);

describe('POST /internal/users', () => {
  test('creates an account that can sign in immediately, as a member', async () => {
    const account = newAccount({ email: ` ${newEmail().toUpperCase()} ` });
    const { status, body } = await ask('POST', '', { body: account });
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ email: account.email.trim().toLowerCase(), name: 'Grace Hopper' });

    const signedIn = await signIn(app, body.user.email);
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.user.organizationId).toBe(organizationId);
    expect(await eventsAbout(body.user.id)).toEqual(['member.added']);
  });

  test('responds the same to the same key, also to ten concurrent requests', async () => {
    const body = newAccount();
    const headers = { 'idempotency-key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '', { body, headers })));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(replies.map((reply) => reply.body.user.id)).size).toBe(1);
    expect(await usersWith(body.email)).toHaveLength(1);
    expect(await ask('POST', '', { body, headers })).toEqual(replies[0]);
  });

  test('no longer replays the response once the account is not a member, since its name belongs to others', async () => {
    const body = newAccount();
    const headers = { 'idempotency-key': randomUUID() };
    const { user } = (await ask('POST', '', { body, headers })).body;
    const elsewhere = await foundCompany(service);
    await enter(service, elsewhere.id, { ...admin, ...user }, 'member');
    await remove(user.id);
    expect(await ask('POST', '', { body, headers })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(await usersWith(body.email)).toHaveLength(1);
  });

  test('refuses the same key for another request, and stores nothing from which a password could be guessed', async () => {
    const body = newAccount();
    const headers = { 'idempotency-key': randomUUID() };
    await ask('POST', '', { body, headers });
    const other = await ask('POST', '', { body: { ...body, password: 'another good one' }, headers });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const rows = await sql('SELECT * FROM internal_requests WHERE key = $1', [headers['idempotency-key']]);
    expect(Object.keys(rows[0] ?? {})).toEqual(['key', 'digest', 'user_id', 'created_at']);
  });

  test('refuses an address in use anywhere, a weak password and a missing key with the field', async () => {
    const taken = await ask('POST', '', { body: newAccount({ email: admin.email }) });
    expect(taken).toMatchObject({
      status: 422,
      body: { code: 'USER_ALREADY_EXISTS', details: [{ field: 'email' }] },
    });
    const weak = await ask('POST', '', { body: newAccount({ password: 'password' }) });
    expect(weak).toMatchObject({ status: 400, body: { details: [{ field: 'password' }] } });
    const keyless = await ask('POST', '', { body: newAccount(), headers: { 'idempotency-key': '' } });
    expect(keyless).toMatchObject({ status: 400, body: { details: [{ field: 'idempotency-key' }] } });
    const more = await ask('POST', '', { body: newAccount({ role: 'owner' }) });
    expect(more).toMatchObject({ status: 400, body: { details: [{ field: 'role' }] } });
  });

  test('leaves nothing behind when it is refused, so that the same key works afterwards', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = newAccount({ actorUserId: company.member.id });
    expect(await ask('POST', '', { body, headers })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await usersWith(body.email)).toEqual([]);
    expect((await ask('POST', '', { body: { ...body, actorUserId: admin.id }, headers })).status).toBe(201);
  });

  test('is for peers alone, and for people of the organization', async () => {
    const stranger = await signUp(app, 'Eve');
    const bearer = { authorization: `Bearer ${company.owner.token}` };
    expect((await ask('POST', '', { body: newAccount(), headers: bearer })).status).toBe(401);
    expect((await ask('POST', '', { body: newAccount({ actorUserId: stranger.id }) })).status).toBe(404);
    expect((await ask('POST', '', { body: newAccount({ organizationId: randomUUID() }) })).status).toBe(404);
  });
});

describe('PATCH /internal/users/:id', () => {
  const rename = (id: string, changes: object = {}) =>
    ask('PATCH', `/${id}`, {
      body: { organizationId, actorUserId: admin.id, name: 'Grace B. Hopper', ...changes },
    });

  test('renames an account that the organization made, and one’s own', async () => {
    const { id } = (await ask('POST', '', { body: newAccount() })).body.user;
    expect(await rename(id)).toMatchObject({ status: 200, body: { user: { id, name: 'Grace B. Hopper' } } });
    expect(await eventsAbout(id)).toContain('user.updated');
    const { member } = company;
    expect((await rename(member.id, { actorUserId: member.id })).status).toBe(200);
    expect(await recordedOf(id)).toEqual([
      ['user.created', admin.id, {}],
      ['user.updated', admin.id, { fields: ['name'] }],
    ]);
  });

  test('leaves no entry where the name is that already', async () => {
    const { id } = (await ask('POST', '', { body: newAccount() })).body.user;
    expect((await rename(id, { name: 'Grace Hopper' })).status).toBe(200);
    expect(await recordedOf(id)).toEqual([['user.created', admin.id, {}]]);
  });

  test('renames a member who belongs to no other organization', async () => {
    const { id } = (await ask('POST', '', { body: newAccount() })).body.user;
    await sql('UPDATE users SET created_by_organization_id = NULL WHERE id = $1', [id]);
    expect((await rename(id)).status).toBe(200);
  });

  test('renames only where the name is still the expected one, if one is expected', async () => {
    const { id } = (await ask('POST', '', { body: newAccount() })).body.user;
    const expected = { name: 'Grace Hopper', familyName: null };
    const changes = { name: 'Grace Murray Hopper', familyName: 'Murray Hopper', expected };
    expect((await rename(id, changes)).status).toBe(200);
    expect(await rename(id, changes)).toMatchObject({ status: 409, body: { code: 'NAME_CHANGED' } });
    const next = { name: 'Grace', expected: { name: changes.name, familyName: changes.familyName } };
    expect((await rename(id, next)).status).toBe(200);
  });

  test('changes no account that also belongs to another organization, and none of a non-member', async () => {
    expect(await rename(company.member.id)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await rename((await signUp(app)).id)).status).toBe(404);
    expect((await rename(randomUUID())).status).toBe(404);
  });
});

describe('DELETE /internal/users/:id', () => {
  test('ends an account that the organization made, with its sessions and tokens', async () => {
    const { user } = (await ask('POST', '', { body: newAccount() })).body;
    const { token } = (await signIn(app, user.email)).body.session;
    expect((await remove(user.id)).status).toBe(204);

    expect((await send(app, 'GET /session', { token })).status).toBe(401);
    expect((await signIn(app, user.email)).status).toBe(401);
    expect(await usersWith(user.email)).toEqual([]);
    expect(await eventsAbout(user.id)).toEqual(['user.erased']);
    const recorded = await recordedOf(user.id);
    expect(recorded.at(-1)).toEqual(['user.erased', admin.id, { role: 'member' }]);
    const revoked = await sql('SELECT kind FROM revocations WHERE sub = $1', [user.id]);
    expect(revoked).toEqual([{ kind: 'user' }]);
    expect((await remove(user.id)).status).toBe(204);
  });

  test('ends only the membership of a user who belongs to another organization as well', async () => {
    const { user } = (await ask('POST', '', { body: newAccount() })).body;
    const elsewhere = await foundCompany(service);
    await enter(service, elsewhere.id, { ...admin, ...user }, 'member');
    expect((await remove(user.id)).status).toBe(204);
    const recorded = await recordedOf(user.id);
    expect(recorded.at(-1)).toEqual(['member.removed', admin.id, { role: 'member' }]);
    const signedIn = await signIn(app, user.email);
    expect(signedIn.body.user.organizationId).toBe(elsewhere.id);
    expect(
      (await remove(user.id, { organizationId: elsewhere.id, actorUserId: elsewhere.admin.id })).status,
    ).toBe(204);
    expect(await usersWith(user.email)).toHaveLength(1);
  });

  test('keeps an account that the organization did not create', async () => {
    const joined = await signUp(app, 'Joined');
    await enter(service, organizationId, joined, 'member');
    expect((await remove(joined.id)).status).toBe(204);
    expect((await signIn(app, joined.email)).status).toBe(200);
  });

  test('never removes the last owner, nor an owner for an admin, nor anyone for a member', async () => {
    const { owner, member } = company;
    expect(await remove(owner.id, { actorUserId: owner.id })).toMatchObject({
      status: 409,
      body: { code: 'LAST_OWNER' },
    });
    expect((await remove(owner.id)).status).toBe(403);
    expect((await remove(admin.id, { actorUserId: member.id })).status).toBe(403);
  });
});
