import { randomUUID } from 'node:crypto';
import { permissions } from '@tenantry/contracts';
import { describe, expect, test } from 'vitest';
import { slugRule } from '../src/organizations/slug.ts';
import { anyString, claimsOf, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app, sql } = await startService();

const newSlug = () => `acme-${randomUUID().slice(0, 8)}`;
const create = (token: string, body: unknown) => send(app, 'POST /organization/create', { token, body });
const switchTo = (token: string, organizationId: unknown) =>
  send(app, 'POST /organization/switch', { token, body: { organizationId } });

describe('POST /organization/create', () => {
  test('founds an organization that its founder owns, and that is not yet active', async () => {
    const ada = await signUp(app);
    const slug = newSlug();
    const { status, body } = await create(ada.token, { name: '  Acme Ltd ', slug });

    expect(status).toBe(201);
    expect(body).toEqual({
      organization: { id: anyString, name: 'Acme Ltd', slug, createdAt: anyString },
    });
    expect(new Date(body.organization.createdAt).toISOString()).toBe(body.organization.createdAt);

    const { organizations } = (await send(app, 'GET /organization/list', { token: ada.token })).body;
    expect(organizations).toHaveLength(2);
    expect(organizations[0]).toMatchObject({ name: "Ada Lovelace's organization", active: true });
    expect(organizations[1]).toEqual({
      ...body.organization,
      role: 'owner',
      active: false,
      twoFactorRequired: false,
      ssoRequired: false,
      accessible: true,
    });
    expect((await send(app, 'GET /session', { token: ada.token })).body.organization.id).toBe(
      organizations[0]?.id,
    );
  });

  test('answers a taken slug with 409 and the field', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const slug = newSlug();
    expect((await create(ada.token, { name: 'Acme', slug })).status).toBe(201);
    const { status, body } = await create(eve.token, { name: 'Acme', slug });
    expect(status).toBe(409);
    expect(body).toEqual({
      code: 'SLUG_TAKEN',
      message: anyString,
      details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
      requestId: anyString,
    });
    expect((await send(app, 'GET /organization/list', { token: eve.token })).body.organizations).toHaveLength(
      1,
    );
  });

  test('lets one of twenty parallel foundations with one slug win', async () => {
    const ada = await signUp(app);
    const slug = newSlug();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(ada.token, { name: 'Acme', slug })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  test.each(['abc', 'a-b', '0-9', 'a--b', 'x'.repeat(48)])('accepts the slug %s', async (slug) => {
    const ada = await signUp(app);
    expect((await create(ada.token, { name: 'Acme', slug })).status).toBe(201);
  });

  test.each(['ab', 'x'.repeat(49), '-abc', 'abc-', 'Abc', 'a_b', 'a b', 'åbc', 'abc\n', ' abc'])(
    'refuses the slug %j',
    async (slug) => {
      const ada = await signUp(app);
      const { status, body } = await create(ada.token, { name: 'Acme', slug });
      expect(status).toBe(400);
      expect(body.details).toMatchObject([{ field: 'slug', rule: 'pattern', message: slugRule }]);
    },
  );

  test('refuses a blank name and a bad slug in one answer', async () => {
    const ada = await signUp(app);
    const { status, body } = await create(ada.token, { name: ' ', slug: 'A' });
    expect(status).toBe(400);
    expect(body.details.map(({ field }) => field)).toEqual(['name', 'slug']);
  });

  test.each([
    ['name', { slug: 'acme-1' }],
    ['name', { name: '', slug: 'acme-1' }],
    ['name', { name: 'x'.repeat(101), slug: 'acme-1' }],
    ['name', { name: 'a\u0007b', slug: 'acme-1' }],
    ['name', { name: { $ne: null }, slug: 'acme-1' }],
    ['slug', { name: 'Acme' }],
    ['slug', { name: 'Acme', slug: 7 }],
    ['ownerId', { name: 'Acme', slug: 'acme-1', ownerId: randomUUID() }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const ada = await signUp(app);
    const answer = await create(ada.token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]?.field).toBe(field);
  });
});

describe('POST /organization/switch', () => {
  test('answers a token in the new context, for the same session', async () => {
    const ada = await signUp(app);
    const { organization } = (await create(ada.token, { name: 'Acme', slug: newSlug() })).body;
    const { status, body } = await switchTo(ada.token, organization.id);

    expect(status).toBe(200);
    expect(body).toEqual({
      session: {
        id: ada.sessionId,
        token: anyString,
        expiresAt: anyString,
        tokenExpiresAt: anyString,
      },
    });
    expect(claimsOf(body.session.token)).toMatchObject({
      sub: ada.id,
      sid: ada.sessionId,
      organizationId: organization.id,
      organizationName: 'Acme',
      role: 'owner',
    });
    const listed = await send(app, 'GET /organization/list', { token: body.session.token });
    expect(listed.body.organizations.filter(({ active }) => active)).toMatchObject([{ id: organization.id }]);
    const sessions = await send(app, 'GET /sessions', { token: body.session.token });
    expect(sessions.body.sessions[0]?.organizationId).toBe(organization.id);
  });

  test('carries the role held in the organization', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const organizationId = claimsOf(ada.token)['organizationId'];
    await sql(`INSERT INTO members VALUES ($1, $2, 'member', now(), now())`, [organizationId, eve.id]);
    const { body } = await switchTo(eve.token, organizationId);
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId, role: 'member' });
  });

  test('refuses an organization one is no member of like one that does not exist, and changes nothing [S-115]', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const before = await sql('SELECT * FROM sessions WHERE user_id = $1', [eve.id]);
    const user = await sql('SELECT * FROM users WHERE id = $1', [eve.id]);
    const foreign = await switchTo(eve.token, claimsOf(ada.token)['organizationId']);
    const random = await switchTo(eve.token, randomUUID());

    expect(foreign.status).toBe(404);
    expect(foreign.body.code).toBe('NOT_FOUND');
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...random.body, requestId: '' });
    expect(await sql('SELECT * FROM sessions WHERE user_id = $1', [eve.id])).toEqual(before);
    expect(await sql('SELECT * FROM users WHERE id = $1', [eve.id])).toEqual(user);
    const again = await signIn(app, eve.email);
    expect(again.body.user.organizationId).toBe(claimsOf(eve.token)['organizationId']);
  });

  test('refuses a removed member', async () => {
    const ada = await signUp(app);
    const { organization } = (await create(ada.token, { name: 'Acme', slug: newSlug() })).body;
    const { session } = (await switchTo(ada.token, organization.id)).body;
    await sql('DELETE FROM members WHERE organization_id = $1', [organization.id]);
    expect((await switchTo(session.token, organization.id)).status).toBe(404);
  });

  test.each([
    ['organizationId', {}],
    ['organizationId', { organizationId: 'acme' }],
    ['organizationId', { organizationId: null }],
    ['role', { organizationId: randomUUID(), role: 'owner' }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const ada = await signUp(app);
    const answer = await send(app, 'POST /organization/switch', { token: ada.token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]?.field).toBe(field);
  });
});

describe('GET /organization/list', () => {
  test("shows only the caller's organizations", async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    await create(ada.token, { name: 'Acme', slug: newSlug() });
    const { body } = await send(app, 'GET /organization/list', { token: eve.token });
    expect(body.organizations.map(({ id }) => id)).toEqual([claimsOf(eve.token)['organizationId']]);
  });
});

describe('GET /organization/permissions', () => {
  test("shows the caller's permissions, and the whole table", async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const owner = await send(app, 'GET /organization/permissions', { token: ada.token });
    expect(owner.status).toBe(200);
    expect(owner.body).toEqual({ role: 'owner', permissions: permissions.owner, roles: permissions });

    await sql(`UPDATE members SET role = 'member' WHERE user_id = $1`, [eve.id]);
    const member = await send(app, 'GET /organization/permissions', { token: eve.token });
    expect(member.body).toMatchObject({ role: 'member', permissions: permissions.member });

    await sql('DELETE FROM members WHERE user_id = $1', [eve.id]);
    const none = await send(app, 'GET /organization/permissions', { token: eve.token });
    expect(none.body).toMatchObject({ role: null, permissions: [] });
  });
});
