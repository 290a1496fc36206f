import { randomUUID } from 'node:crypto';
import { createLogger } from '@tenantry/service/logging';
import { mentionsOf, patience, testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWings } from '../src/wings.ts';
import { createGround } from '../src/ground/index.ts';
import { claimsOf, password, refresh, send, signIn, signUp } from './support/client.ts';
import {
  ask,
  found,
  foundCompany,
  personalOrganizationOf,
  rolesIn,
  switchTo,
} from './support/organizations.ts';
import { waiting } from './support/pairs.ts';
import { openDatabase, startService } from './support/service.ts';

/** How far the service's clock is ahead. */
let aheadMs = 0;
const service = await startService({ now: () => new Date(Date.now() + aheadMs) });
const { app, config, sql } = service;
const logger = createLogger({ name: 'test', level: 'warn', destination: testLog() });
const database = openDatabase(config, logger);
afterAll(() => database.close());
const { organizations, events } = createWings(
  createGround({ config, logger, database, now: () => new Date() }),
);

const remove = (id: string, token: string) =>
  ask<{ purgeAt: string }>(service, `DELETE /organization/${id}`, { token });
const mentions = (id: string) => mentionsOf(service.database.adminUrl, id);

interface Internal {
  readonly code?: string;
  readonly organizations: readonly { readonly id: string; readonly name: string | null }[];
  readonly organization: { readonly slug: string };
  readonly members: number;
  readonly state: string;
  readonly purgeAt: string;
  readonly total: number;
}
const authorization = `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`;
async function internal(request: string, payload?: object): Promise<{ status: number; body: Internal }> {
  const [method, url] = request.split(' ') as ['GET' | 'POST', string];
  const answer = await app.inject({ method, url, headers: { authorization }, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json<Internal>() };
}
const restore = (id: string, body: object = {}) =>
  internal(`POST /internal/organizations/${id}/restore`, body);

/** The grace period of a deleted organization is over. */
async function purge(id: string): Promise<void> {
  await sql(
    `UPDATE deleted_organizations SET deleted_at = now() - INTERVAL '31 days', purge_at = now() - INTERVAL '1 day' WHERE id = $1`,
    [id],
  );
  while (await organizations.purges.sweep()) continue;
}

describe('a deleted organization', () => {
  test('is listed for the operator until it is purged, and for no one else [S-192]', async () => {
    const { id, owner } = await foundCompany(service);
    const { body } = await remove(id, owner.token);
    const listed = await internal('GET /internal/organizations/deleted?pageSize=100');
    expect(listed.body.organizations).toContainEqual(
      expect.objectContaining({ id, name: 'Acme', deletedBy: owner.id, purgeAt: body.purgeAt }),
    );
    expect((await internal(`GET /internal/organizations/${id}`)).body).toEqual({
      organizationId: id,
      state: 'deleted',
      purgeAt: body.purgeAt,
    });
    const personal = personalOrganizationOf(owner);
    expect((await internal(`GET /internal/organizations/${personal}`)).body).toEqual({
      organizationId: personal,
      state: 'live',
    });
    for (const path of [`/${id}`, '/deleted', `/${id}/restore`]) {
      const method = path.endsWith('restore') ? 'POST' : 'GET';
      const asked = await app.inject({
        method,
        url: `/internal/organizations${path}`,
        headers: { authorization: `Bearer ${owner.token}` },
        ...(method === 'POST' && { payload: {} }),
      });
      expect(asked.statusCode).toBe(401);
    }
  });

  test('ends tokens of the time in which it waits for others, also where its id is written in capitals', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    const other = new pg.Client({ connectionString: service.database.adminUrl });
    await other.connect();
    onTestFinished(async () => {
      aheadMs = 0;
      await other.end();
    });
    await other.query('BEGIN');
    const users = [owner, admin, member].map((user) => user.id);
    await other.query('SELECT FROM users WHERE id = ANY($1) FOR NO KEY UPDATE', [users]);
    const removed = remove(id.toUpperCase(), owner.token);
    await vi.waitFor(async () => expect(await waiting(service)).toBe(1), patience());
    aheadMs = 60_000;
    const meanwhile = new Date(Date.now() + aheadMs);
    await other.query('COMMIT');
    expect((await removed).status).toBe(200);
    const [told] = await sql(
      `SELECT min(r.issued_before) >= date_trunc('second', $2::timestamptz) AS revoked, min(d.deleted_at) >= $2 AS deleted
       FROM revocations r JOIN deleted_organizations d ON d.id = r.organization WHERE d.id = $1`,
      [id, meanwhile],
    );
    expect(told).toEqual({ revoked: true, deleted: true });
  });

  test('is restored unchanged, and its earlier tokens stay refused [S-192]', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    const settings = { vatRate: 12, timeZone: 'Europe/Stockholm', quoteNumberPrefix: 'AB' };
    await ask(service, `PATCH /organization/${id}`, { token: owner.token, body: { settings } });
    const before = await sql('SELECT * FROM organizations WHERE id = $1', [id]);
    const joined = await sql(
      'SELECT user_id, role, created_at FROM members WHERE organization_id = $1 ORDER BY 1',
      [id],
    );
    await remove(id, owner.token);
    expect(await rolesIn(service, id)).toEqual({});

    const { status, body } = await restore(id);
    expect({ status, members: body.members }).toEqual({ status: 200, members: 3 });
    expect(await sql('SELECT * FROM organizations WHERE id = $1', [id])).toEqual(before);
    expect(
      await sql('SELECT user_id, role, created_at FROM members WHERE organization_id = $1 ORDER BY 1', [id]),
    ).toEqual(joined);
    const told = await sql(
      `SELECT type, user_id FROM events WHERE organization = $1 AND type <> 'organization.deleted' ORDER BY id`,
      [id],
    );
    expect(told.map(({ type }) => type)).toEqual([
      'organization.updated',
      'member.added',
      'member.added',
      'member.added',
    ]);
    const [{ payload } = {}] = await sql(
      `SELECT payload FROM events WHERE organization = $1 AND user_id = $2 ORDER BY id DESC LIMIT 1`,
      [id, admin.id],
    );
    expect(payload).toEqual({
      organizationId: id,
      userId: admin.id,
      email: admin.email,
      emailVerified: expect.any(Boolean) as boolean,
      name: admin.name,
      familyName: null,
      role: 'admin',
      disabled: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) as string,
    });
    const trail = await ask<{ events: { action: string; actor: unknown }[] }>(
      service,
      `GET /organization/${id}/audit?pageSize=2`,
      { token: owner.token },
    );
    expect(trail.body.events.map(({ action, actor }) => [action, actor])).toEqual([
      ['organization.restored', { kind: 'operator', userId: null, name: null }],
      ['organization.deleted', { kind: 'user', userId: owner.id, name: owner.name }],
    ]);
    const fresh = claimsOf(await switchTo(service, member.token, id));
    const [{ until } = {}] = await sql(
      `SELECT extract(epoch FROM max(issued_before))::int AS until FROM revocations WHERE organization = $1 AND sub = $2`,
      [id, member.id],
    );
    expect(Number(fresh['iat'])).toBeGreaterThanOrEqual(Number(until));
    expect((await internal(`GET /internal/organizations/${id}`)).body.state).toBe('live');
    expect((await restore(id)).status).toBe(404);
  });

  test('comes back with its logo', async () => {
    const ada = await signUp(app);
    const { id } = await found(service, ada.token);
    await sql(
      `WITH logo AS (INSERT INTO organization_logos VALUES ($1, 'image/png', 'x'::bytea))
       UPDATE organizations SET logo_digest = encode(sha256('x'), 'hex') WHERE id = $1`,
      [id],
    );
    await remove(id, ada.token);
    expect(await sql('SELECT FROM organization_logos WHERE organization_id = $1', [id])).toEqual([]);
    await restore(id);
    expect(await sql('SELECT content FROM organization_logos WHERE organization_id = $1', [id])).toEqual([
      { content: Buffer.from('x') },
    ]);
  });

  test('releases its slug, and is restored with another one then', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const slug = `taken-${randomUUID().slice(0, 8)}`;
    const create = (token: string) =>
      send(app, 'POST /organization/create', { token, body: { name: 'Acme', slug } });
    const { id } = (await create(ada.token)).body.organization;
    await remove(id, ada.token);
    expect((await create(eve.token)).status).toBe(201);
    expect((await restore(id)).body.code).toBe('SLUG_TAKEN');
    expect((await restore(id, { slug: 'Not One' })).status).toBe(400);
    const { body } = await restore(id, { slug: `${slug}-2` });
    expect(body.organization.slug).toBe(`${slug}-2`);
  });

  test('is restored without deleted accounts, and not at all without an owner', async () => {
    const { id, owner, admin } = await foundCompany(service);
    await remove(id, owner.token);
    await send(app, 'DELETE /user', { token: admin.token, body: { password } });
    expect((await restore(id)).body.members).toBe(2);
    await remove(id, (await signIn(app, owner.email)).body.session.token);
    await send(app, 'DELETE /user', {
      token: (await signIn(app, owner.email)).body.session.token,
      body: { password },
    });
    expect((await restore(id)).body.code).toBe('CONFLICT');
  });

  test('enables accounts that it had disabled, which do not return with it', async () => {
    const { id, owner } = await foundCompany(service);
    const email = `grace.${randomUUID()}@example.com`;
    const made = await app.inject({
      method: 'POST',
      url: '/internal/users',
      headers: { authorization, 'idempotency-key': randomUUID() },
      payload: { organizationId: id, actorUserId: owner.id, email, password, name: 'Grace Hopper' },
    });
    const { user } = made.json<{ user: { id: string } }>();
    const disabling = `POST /organization/${id}/members/${user.id}/disable`;
    expect((await ask(service, disabling, { token: owner.token })).status).toBe(200);
    expect((await signIn(app, email)).status).toBe(401);
    await remove(id, owner.token);
    expect((await signIn(app, email)).status).toBe(200);
    expect((await restore(id)).body.members).toBe(3);
    expect(await rolesIn(service, id)).not.toHaveProperty(user.id);
    expect((await signIn(app, email)).status).toBe(200);
  });

  test('completes an interrupted deletion', async () => {
    const { id, owner, member } = await foundCompany(service);
    await switchTo(service, member.token, id);
    await remove(id, owner.token);
    await sql(
      `WITH session AS (UPDATE sessions SET active_organization_id = $1 WHERE user_id = $2),
        members AS (UPDATE former_members SET is_settled = false WHERE organization_id = $1 AND user_id = $2)
       UPDATE deleted_organizations SET is_settled = false, deleted_at = now() - INTERVAL '5 minutes' WHERE id = $1`,
      [id, member.id],
    );
    while (await organizations.purges.sweep()) continue;
    const [session] = await sql('SELECT active_organization_id AS active FROM sessions WHERE user_id = $1', [
      member.id,
    ]);
    expect(session).toEqual({ active: personalOrganizationOf(member) });
    expect(claimsOf((await refresh(app, member.refreshToken)).body.session.token)).toMatchObject({
      organizationId: personalOrganizationOf(member),
    });
  });

  test('is deleted once by two concurrent owners, and is either there or not when it is restored meanwhile', async () => {
    const { id, owner, admin } = await foundCompany(service);
    await sql(`UPDATE members SET role = 'owner' WHERE organization_id = $1`, [id]);
    const both = await Promise.all([remove(id, owner.token), remove(id, admin.token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    await Promise.all([restore(id), restore(id), restore(id)]);
    expect(Object.keys(await rolesIn(service, id))).toHaveLength(3);
    expect(await sql('SELECT FROM deleted_organizations WHERE id = $1', [id])).toEqual([]);
  });

  test('gets no new members while it is being deleted [S-191]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, owner } = await foundCompany(service);
      const added = app.inject({
        method: 'POST',
        url: '/internal/users',
        headers: { authorization, 'idempotency-key': randomUUID() },
        payload: {
          ...{ organizationId: id, actorUserId: owner.id, password, name: 'Lee Late' },
          email: `late.${randomUUID()}@example.com`,
        },
      });
      const [removed] = await Promise.all([remove(id, owner.token), added]);
      expect(removed.status).toBe(200);
      expect(await sql('SELECT FROM members WHERE organization_id = $1', [id])).toEqual([]);
    }
  });
});

test('an invitation that ends before its e-mail is sent is not mailed [S-191]', async () => {
  const [mine, theirs] = [await foundCompany(service), await foundCompany(service)];
  const emails = ['a', 'b'].map((name) => `${name}.${randomUUID()}@example.com`);
  const invited: { readonly id: string }[] = [];
  for (const { id: organizationId, owner } of [mine, theirs]) {
    for (const email of emails) {
      const { body } = await ask<{ invitation: { id: string } }>(
        service,
        `POST /organization/${organizationId}/invitations`,
        { token: owner.token, body: { email, role: 'member' } },
      );
      invited.push(body.invitation);
    }
  }
  const waiting = async () => {
    const rows = await sql(
      `SELECT id FROM mail_outbox WHERE template = 'invitation' AND payload IS NOT NULL AND recipient = ANY($1) ORDER BY id`,
      [emails],
    );
    return rows.map(({ id }) => id);
  };
  const left = (...places: number[]) =>
    invited
      .filter((_, place) => places.includes(place))
      .map(({ id }) => id)
      .toSorted();
  await expect.poll(waiting).toEqual([]);
  // As if the mail server had been away since.
  await sql(
    `UPDATE mail_outbox SET payload = 'sealed', sent_at = NULL, next_attempt_at = now() + INTERVAL '1 hour'
     WHERE template = 'invitation' AND recipient = ANY($1)`,
    [emails],
  );
  expect(await waiting()).toEqual(left(0, 1, 2, 3));
  await remove(mine.id, mine.owner.token);
  expect(await waiting()).toEqual(left(2, 3));
  const withdrawn = await ask(service, `DELETE /organization/${theirs.id}/invitations/${left(2)[0]}`, {
    token: theirs.owner.token,
  });
  expect(withdrawn.status).toBe(204);
  expect(await waiting()).toEqual(left(3));
});

describe('when its grace period is over', () => {
  test('nothing mentions it in any table, and others are as they were [S-192]', async () => {
    const { id, owner, member } = await foundCompany(service);
    const other = await foundCompany(service);
    await ask(service, `POST /organization/${id}/invitations`, {
      token: owner.token,
      body: { email: 'guest@example.com', role: 'member' },
    });
    await switchTo(service, member.token, id);
    await sql(
      `UPDATE users SET created_by_organization_id = $1, disabled_by_organization_id = $1, disabled_at = now() WHERE id = $2`,
      [id, member.id],
    );
    await sql(
      `INSERT INTO audit_events (organization_id, action, details) SELECT $1, 'of.tests', '{}' FROM generate_series(1, 2500)`,
      [id],
    );
    expect(Object.keys(await mentions(id)).toSorted()).toEqual(
      expect.arrayContaining(['audit_events', 'events', 'members', 'organizations', 'users']),
    );
    const before = await mentions(other.id);
    await remove(id, owner.token);
    await purge(id);
    // Verifiers are told for as long as a token lives, and readers for as long as they may lag behind.
    await sql(`UPDATE revocations SET until = now() - INTERVAL '1 minute' WHERE organization = $1`, [id]);
    expect(await sql('SELECT type, payload FROM events WHERE organization = $1', [id])).toEqual([
      { type: 'organization.purged', payload: { organizationId: id } },
    ]);
    await sql(`UPDATE events SET created_at = now() - INTERVAL '8 days' WHERE organization = $1`, [id]);
    await sql(`DELETE FROM revocations WHERE until < now()`);
    while (await events.background.sweeps?.['events']?.()) continue;
    expect(await mentions(id)).toEqual({});
    expect(await mentions(other.id)).toEqual(before);
    expect((await internal(`GET /internal/organizations/${id}`)).body.state).toBe('gone');
    expect((await restore(id)).status).toBe(404);
  });

  test('it is purged and not restored, whichever comes first [S-192]', async () => {
    const { id, owner } = await foundCompany(service);
    await remove(id, owner.token);
    await sql(
      `UPDATE deleted_organizations SET deleted_at = now() - INTERVAL '31 days', purge_at = now() WHERE id = $1`,
      [id],
    );
    expect((await restore(id)).body.code).toBe('CONFLICT');
  });

  test('the service cannot delete from any other trail', async () => {
    const { id } = await foundCompany(service);
    const { id: deleted, owner } = await foundCompany(service);
    await remove(deleted, owner.token);
    for (const organizationId of [id, deleted]) {
      await database.pool.within({ organizationId }, async () => {
        await database.pool.query('DELETE FROM audit_events');
      });
      expect(await sql('SELECT FROM audit_events WHERE organization_id = $1', [organizationId])).not.toEqual(
        [],
      );
    }
  });

  test('the deletion event is kept until then, for new readers', async () => {
    const { id, owner } = await foundCompany(service);
    await remove(id, owner.token);
    await sql(`UPDATE events SET created_at = now() - INTERVAL '8 days' WHERE organization = $1`, [id]);
    while (await events.background.sweeps?.['events']?.()) continue;
    expect(await sql('SELECT type FROM events WHERE organization = $1', [id])).toEqual([
      { type: 'organization.deleted' },
    ]);
  });
});

describe('the erasure of a user', () => {
  test('purges organizations without other members immediately, including their name', async () => {
    const ada = await signUp(app, 'Ada Alone');
    const personal = personalOrganizationOf(ada);
    const { id: second } = await found(service, ada.token, 'Alone Ltd');
    const { id: third } = await found(service, ada.token, 'Alone Too');
    await remove(third, ada.token);
    expect(await sql('SELECT FROM deleted_organizations WHERE id = $1', [third])).toHaveLength(1);
    await send(app, 'DELETE /user', { token: ada.token, body: { password } });
    for (const id of [personal, second, third]) {
      const [kept] = await sql(
        'SELECT organization, logo, purge_at < now() + make_interval(secs => 1) AS due FROM deleted_organizations WHERE id = $1',
        [id],
      );
      expect(kept).toEqual({ organization: null, logo: null, due: true });
      expect((await restore(id)).body.code).toBe('CONFLICT');
    }
    await sql(
      `UPDATE deleted_organizations SET deleted_at = now(), purge_at = now() WHERE organization IS NULL`,
    );
    while (await organizations.purges.sweep()) continue;
    for (const id of [personal, second, third]) {
      await sql('DELETE FROM revocations WHERE organization = $1', [id]);
      expect(Object.keys(await mentions(id))).toEqual(['events']);
    }
    expect(await mentions('Ada Alone')).toEqual({});
  });

  test('leaves what others could be given back', async () => {
    const { id, owner, member } = await foundCompany(service);
    await remove(id, owner.token);
    await send(app, 'DELETE /user', { token: member.token, body: { password } });
    const [kept] = await sql('SELECT purge_at > now() AS later FROM deleted_organizations WHERE id = $1', [
      id,
    ]);
    expect(kept).toEqual({ later: true });
  });
});
