import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, refresh, send, signUp } from './support/client.ts';
import {
  ask,
  enter,
  found,
  foundCompany,
  personalOrganizationOf,
  switchTo,
  traces,
} from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;

interface OrganizationBody {
  readonly organization: {
    readonly name: string;
    readonly settings: Readonly<Record<string, unknown>>;
  };
}
const read = (id: string, token: string) =>
  ask<OrganizationBody>(service, `GET /organization/${id}`, { token });
const change = (id: string, token: string, body: unknown) =>
  ask<OrganizationBody>(service, `PATCH /organization/${id}`, { token, body });
const remove = (id: string, token: string) => ask(service, `DELETE /organization/${id}`, { token });

const standardSettings = {
  defaultCurrency: 'SEK',
  vatRate: 25,
  quoteNumberPrefix: 'Q',
  requireTwoFactor: false,
  timeZone: 'UTC',
  address: null,
  vatNumber: null,
};
const sellerDetails = {
  timeZone: 'Europe/Stockholm',
  address: { lines: ['Verkstadsgatan 4', 'Port B'], postalCode: '413 01', city: 'Göteborg', country: 'SE' },
  vatNumber: 'SE556012579001',
};

describe('GET /organization/:organizationId', () => {
  test("shows the organization, its settings and the caller's role", async () => {
    const { id, owner, member } = await foundCompany(service);
    const { status, body } = await read(id, member.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      organization: {
        id,
        name: 'Acme',
        slug: anyString,
        createdAt: anyString,
        role: 'member',
        settings: standardSettings,
        logo: null,
      },
    });
    expect((await read(id, owner.token)).body.organization).toMatchObject({ role: 'owner' });
  });

  test('begins with the currency that is configured', async () => {
    const danish = await startService({ settings: { DEFAULT_CURRENCY: 'DKK' } });
    const ada = await signUp(danish.app);
    const { body } = await ask<OrganizationBody>(
      danish,
      `GET /organization/${personalOrganizationOf(ada)}`,
      ada,
    );
    expect(body.organization.settings).toMatchObject({ defaultCurrency: 'DKK' });
  });

  test('shows a foreign organization like one that does not exist', async () => {
    const [here, away] = [await foundCompany(service), await foundCompany(service)];
    const foreign = await read(away.id, here.owner.token);
    const random = await read(randomUUID(), here.owner.token);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...random.body, requestId: '' });
    const malformed = await read('acme', here.owner.token);
    expect(malformed.status).toBe(400);
    expect(malformed.body.details).toMatchObject([{ field: 'organizationId', message: 'must be a UUID' }]);
  });
});

describe('PATCH /organization/:organizationId', () => {
  test('changes the given fields, keeps the rest, and publishes the change', async () => {
    const { id, admin } = await foundCompany(service);
    const renamed = await change(id, admin.token, { name: '  Åcme AB ' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.organization).toMatchObject({
      id,
      name: 'Åcme AB',
      role: 'admin',
      settings: standardSettings,
    });
    const settings = { defaultCurrency: 'NOK', vatRate: 19.99, quoteNumberPrefix: 'ACME-1' };
    const { status, body } = await change(id, admin.token, { settings });
    expect(status).toBe(200);
    expect(body.organization).toMatchObject({
      name: 'Åcme AB',
      settings: { ...settings, requireTwoFactor: false },
    });
    expect((await read(id, admin.token)).body).toEqual(body);
    expect(claimsOf(await switchTo(service, admin.token, id))['organizationName']).toBe('Åcme AB');

    const events = await sql(
      `SELECT payload FROM events WHERE organization = $1 AND type = 'organization.updated' ORDER BY id`,
      [id],
    );
    expect(events.at(-1)?.['payload']).toEqual({
      organizationId: id,
      name: 'Åcme AB',
      slug: anyString,
      createdAt: anyString,
      settings: { ...standardSettings, ...settings },
      logo: null,
    });
    const audit = await sql(
      `SELECT actor_user_id, details FROM audit_events WHERE organization_id = $1 AND action = 'organization.updated'
       ORDER BY id`,
      [id],
    );
    expect(audit).toEqual([
      { actor_user_id: admin.id, details: { fields: ['name'], name: 'Åcme AB' } },
      {
        actor_user_id: admin.id,
        details: {
          fields: ['defaultCurrency', 'quoteNumberPrefix', 'vatRate'],
          values: {
            defaultCurrency: { from: 'SEK', to: settings.defaultCurrency },
            quoteNumberPrefix: { from: 'Q', to: settings.quoteNumberPrefix },
            vatRate: { from: 25, to: settings.vatRate },
          },
        },
      },
    ]);
  });

  test("stores the seller's details for quotes, publishes them, and clears them again", async () => {
    const { id, owner } = await foundCompany(service);
    const typed = { ...sellerDetails, timeZone: 'europe/stockholm', vatNumber: ' se 556012-5790 01' };
    const { status, body } = await change(id, owner.token, { settings: typed });
    expect({ status, settings: body.organization.settings }).toEqual({
      status: 200,
      settings: { ...standardSettings, ...sellerDetails },
    });
    expect((await read(id, owner.token)).body).toEqual(body);
    const [told] = await sql(
      `SELECT payload -> 'settings' AS settings FROM events WHERE organization = $1 AND type = 'organization.updated'`,
      [id],
    );
    expect(told).toEqual({ settings: { ...standardSettings, ...sellerDetails } });
    const [audited] = await sql(
      `SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'organization.updated'`,
      [id],
    );
    expect(audited).toEqual({
      details: {
        fields: ['timeZone', 'vatNumber', 'address'],
        values: { timeZone: { from: 'UTC', to: 'Europe/Stockholm' } },
      },
    });

    const emptied = await change(id, owner.token, { settings: { address: null, vatNumber: null } });
    expect(emptied.body.organization.settings).toEqual({ ...standardSettings, timeZone: 'Europe/Stockholm' });
  });

  test.each([0, 100, 25.5, 4.35, 0.07])('takes the VAT rate %d as it is', async (vatRate) => {
    const { id, owner } = await foundCompany(service);
    const { body } = await change(id, owner.token, { settings: { vatRate } });
    expect(body.organization.settings['vatRate']).toBe(vatRate);
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\u0007b' }],
    ['settings.vatRate', { settings: { vatRate: -1 } }],
    ['settings.vatRate', { settings: { vatRate: 100.01 } }],
    ['settings.vatRate', { settings: { vatRate: 12.345 } }],
    ['settings.vatRate', { settings: { vatRate: 1e-7 } }],
    ['settings.vatRate', { settings: { vatRate: '25' } }],
    ['settings.defaultCurrency', { settings: { defaultCurrency: 'sek' } }],
    ['settings.defaultCurrency', { settings: { defaultCurrency: 'DEM' } }],
    ['settings.defaultCurrency', { settings: { defaultCurrency: 'KWD' } }],
    ['settings.quoteNumberPrefix', { settings: { quoteNumberPrefix: 'Q-' } }],
    ['settings.quoteNumberPrefix', { settings: { quoteNumberPrefix: 'TOO-LONG-IT-IS' } }],
    ['settings.requireTwoFactor', { settings: { requireTwoFactor: 'yes' } }],
    ['settings.logo', { settings: { logo: 'x' } }],
    ['settings.timeZone', { settings: { timeZone: 'Europe/Atlantis' } }],
    ['settings.timeZone', { settings: { timeZone: '+01:00' } }],
    ['settings.timeZone', { settings: { timeZone: 'IST' } }],
    ['settings.address.country', { settings: { address: { ...sellerDetails.address, country: 'XX' } } }],
    ['settings.address.lines', { settings: { address: { ...sellerDetails.address, lines: [] } } }],
    ['settings.address.city', { settings: { address: { ...sellerDetails.address, city: ' ' } } }],
    ['settings.vatNumber', { settings: { vatNumber: 'SE5560125790' } }],
    ['settings.vatNumber', { settings: { vatNumber: 'none' } }],
    ['slug', { slug: 'other' }],
    ['settings', { settings: {} }],
    ['body', {}],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const { id, owner } = await foundCompany(service);
    const answer = await change(id, owner.token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]?.field).toBe(field);
    expect((await read(id, owner.token)).body.organization).toMatchObject({
      name: 'Acme',
      settings: standardSettings,
    });
  });

  test('is refused to members and to strangers', async () => {
    const { id, member } = await foundCompany(service);
    const stranger = await signUp(app);
    expect((await change(id, member.token, { name: 'Mine' })).body.code).toBe('FORBIDDEN');
    expect((await change(id, stranger.token, { name: 'Mine' })).status).toBe(404);
  });

  test('refuses to require a second factor without having one', async () => {
    const { id, owner } = await foundCompany(service);
    const { status, body } = await change(id, owner.token, { settings: { requireTwoFactor: true } });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'TWO_FACTOR_REQUIRED' });
  });
});

describe('DELETE /organization/:organizationId', () => {
  test('deletes it for every member, whose tokens end and whose sessions continue in another organization', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    await switchTo(service, member.token, id);
    await sql('DELETE FROM organizations WHERE id = $1', [personalOrganizationOf(admin)]);
    await switchTo(service, owner.token, id);
    await ask(service, `POST /organization/${id}/invitations`, {
      token: owner.token,
      body: { email: 'guest@example.com', role: 'member' },
    });
    const answer = await remove(id, owner.token);

    expect(answer.status).toBe(200);
    const days =
      (Date.parse((answer.body as unknown as { purgeAt: string }).purgeAt) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
    for (const table of ['members', 'invitations']) {
      expect(await sql(`SELECT FROM ${table} WHERE organization_id = $1`, [id])).toEqual([]);
    }
    expect(await sql('SELECT FROM organizations WHERE id = $1', [id])).toEqual([]);
    for (const { id: userId } of [owner, admin, member]) {
      expect((await traces(service, { organizationId: id, userId })).revoked).toEqual(['member']);
    }
    const events = await sql(`SELECT type, payload FROM events WHERE organization = $1`, [id]);
    expect(events).toEqual([{ type: 'organization.deleted', payload: { organizationId: id } }]);
    const audit = await sql(
      `SELECT actor_user_id FROM audit_events WHERE organization_id = $1 AND action = 'organization.deleted'`,
      [id],
    );
    expect(audit).toEqual([{ actor_user_id: owner.id }]);

    const elsewhere = claimsOf((await refresh(app, member.refreshToken)).body.session.token);
    expect(elsewhere).toMatchObject({ organizationId: personalOrganizationOf(member) });
    const personal = claimsOf((await refresh(app, admin.refreshToken)).body.session.token);
    expect(personal).toMatchObject({ organizationName: "Adam Admin's organization", role: 'owner' });
    expect((await read(id, owner.token)).status).toBe(404);
  });

  test('is refused to lower roles and to strangers', async () => {
    const { id, admin, member } = await foundCompany(service);
    const stranger = await signUp(app);
    expect((await remove(id, admin.token)).body.code).toBe('FORBIDDEN');
    expect((await remove(id, member.token)).body.code).toBe('FORBIDDEN');
    expect((await remove(id, stranger.token)).status).toBe(404);
    expect(await sql('SELECT FROM organizations WHERE id = $1', [id])).toHaveLength(1);
  });

  test('gives the owner of a last organization a new one', async () => {
    const ada = await signUp(app, 'Ada');
    const former = personalOrganizationOf(ada);
    expect((await remove(former, ada.token)).status).toBe(200);
    const { organizations } = (await send(app, 'GET /organization/list', { token: ada.token })).body;
    expect(organizations).toMatchObject([{ name: "Ada's organization", role: 'owner' }]);
    expect(organizations[0]?.id).not.toBe(former);
  });

  test('ends an organization of more members than one transaction takes', async () => {
    const ada = await signUp(app);
    const { id } = await found(service, ada.token);
    await sql(`
      WITH crowd AS (
        INSERT INTO users (id, email, name, created_at, updated_at)
        SELECT gen_random_uuid(), 'crowd' || n || '@example.com', 'Crowd ' || n, now(), now()
        FROM generate_series(1, 120) AS n RETURNING id)
      INSERT INTO members (organization_id, user_id, role, created_at, updated_at)
      SELECT '${id}', id, 'member', now(), now() FROM crowd`);
    expect((await remove(id, ada.token)).status).toBe(200);
    const [{ count } = {}] = await sql(
      `SELECT count(*)::int FROM members m JOIN users u ON u.id = m.user_id WHERE u.name LIKE 'Crowd %' AND role = 'owner'`,
    );
    expect(count).toBe(120);
  });
});

test('a user who is a member by invitation alone is found in every list', async () => {
  const { id } = await foundCompany(service);
  const guest = await signUp(app, 'Gus Guest');
  await enter(service, id, guest, 'member');
  const listed = await send(app, 'GET /organization/list', { token: guest.token });
  expect(listed.body.organizations.map((organization) => organization.id)).toContain(id);
});
