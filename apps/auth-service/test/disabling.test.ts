import { randomUUID } from 'node:crypto';
import { createFormerDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newEmail, password, refresh, send, signIn, signUp, type SignedUp } from './support/client.ts';
import { lettersTo } from './support/mail.ts';
import { ask, enter, foundCompany, personalOrganizationOf, traces } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, config, sql } = service;
const company = await foundCompany(service);
const organizationId = company.id;
const { owner } = company;

const key = { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` };
const internal = (path: string, payload: object, headers: Record<string, string> = key) =>
  app.inject({ method: 'POST', url: `/internal/users${path}`, headers, payload });

/** An account that the organization makes for somebody, with a session. */
async function employ(organization = organizationId, by: SignedUp = owner) {
  const email = newEmail();
  const body = { organizationId: organization, actorUserId: by.id, email, password, name: 'Grace Hopper' };
  const made = await internal('', body, { ...key, 'idempotency-key': randomUUID() });
  const { user } = made.json<{ user: { id: string } }>();
  const { session } = (await signIn(app, email)).body;
  return {
    id: user.id,
    email,
    token: session.token,
    refreshToken: session.refreshToken,
    sessionId: session.id,
  };
}

const on = (action: string, userId: string, { token }: { token: string } = owner) =>
  ask<{ member: { userId: string; disabled: boolean } }>(
    service,
    `POST /organization/${organizationId}/members/${userId}/${action}`,
    { token },
  );
const disable = (userId: string, by?: SignedUp) => on('disable', userId, by);
const enable = (userId: string, by?: SignedUp) => on('enable', userId, by);
const operator = (action: string, email: string) => internal(`/${action}`, { email });

describe('an owner who disables an account', () => {
  test('ends its sessions and tokens, and refuses sign-ins and refreshes [S-78]', async () => {
    const grace = await employ();
    const { status, body } = await disable(grace.id);
    expect([status, body.member]).toEqual([
      200,
      expect.objectContaining({ userId: grace.id, disabled: true }),
    ]);

    const refused = await send(app, 'GET /session', { token: grace.token });
    expect([refused.status, refused.body.reason]).toEqual([401, 'SESSION_ENDED']);
    expect((await refresh(app, grace.refreshToken)).body.code).toBe('INVALID_REFRESH_TOKEN');
    const headers = { 'x-request-id': 'same' };
    const right = await signIn(app, grace.email, headers);
    const unknown = await signIn(app, newEmail(), headers);
    expect([right.status, right.body]).toEqual([401, unknown.body]);

    const revoked = await sql('SELECT kind, sid FROM revocations WHERE sub = $1 ORDER BY id', [grace.id]);
    expect(revoked).toEqual([
      { kind: 'session', sid: grace.sessionId },
      { kind: 'user', sid: null },
    ]);
  });

  test('is recorded in the trail, and published to other services [S-78]', async () => {
    const grace = await employ();
    await disable(grace.id);
    await enable(grace.id);
    const { events, audit } = await traces(service, { organizationId, userId: grace.id });
    const told = events
      .slice(1)
      .map(({ type, payload }) => [type, (payload as { disabled: boolean }).disabled]);
    expect(told).toEqual([
      ['user.updated', true],
      ['user.updated', false],
    ]);
    const recorded = audit.filter(({ actor, target }) => actor === owner.id && target === grace.id);
    expect(recorded.map(({ action }) => action)).toEqual(['user.created', 'user.disabled', 'user.enabled']);
  });

  test('shows it in the list of members, and repeats without effect', async () => {
    const grace = await employ();
    for (let time = 0; time < 2; time += 1) expect((await disable(grace.id)).status).toBe(200);
    const { body } = await ask<{ members: { userId: string; disabled: boolean }[] }>(
      service,
      `GET /organization/${organizationId}/members?pageSize=100`,
      { token: owner.token },
    );
    const disabled = body.members.filter((member) => member.disabled).map(({ userId }) => userId);
    expect(disabled).toContain(grace.id);
    expect(disabled).not.toContain(owner.id);
    const { audit } = await traces(service, { organizationId, userId: grace.id });
    expect(audit.filter(({ action }) => action === 'user.disabled')).toHaveLength(1);
  });

  test('enables it again: the same password signs in, and no earlier session is back [S-78]', async () => {
    const grace = await employ();
    await disable(grace.id);
    expect((await enable(grace.id)).body.member.disabled).toBe(false);
    expect((await signIn(app, grace.email)).status).toBe(200);
    expect((await send(app, 'GET /session', { token: grace.token })).status).toBe(401);
    expect((await refresh(app, grace.refreshToken)).status).toBe(401);
  });

  test('reaches no account that another organization has as well, nor their own [S-78]', async () => {
    const ids = [company.member, company.admin, owner].map(({ id }) => id);
    for (const id of [...ids, owner.id.toUpperCase()]) {
      const { status, body } = await disable(id);
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    }
    const grace = await employ();
    await enter(service, personalOrganizationOf(company.member), grace as unknown as SignedUp, 'member');
    expect((await disable(grace.id)).status).toBe(403);
    expect((await send(app, 'GET /session', { token: grace.token })).status).toBe(200);
  });

  test('needs the role, and finds members only [S-78]', async () => {
    const grace = await employ();
    for (const by of [company.admin, company.member]) {
      expect((await disable(grace.id, by)).body.code).toBe('FORBIDDEN');
      expect((await enable(grace.id, by)).body.code).toBe('FORBIDDEN');
    }
    const stranger = await signUp(app);
    expect((await disable(grace.id, stranger)).status).toBe(404);
    for (const id of [stranger.id, randomUUID()]) expect((await disable(id)).status).toBe(404);
  });

  test('who is disabled concurrently can no longer act [S-78]', async () => {
    const [one, other] = [await employ(), await employ()];
    await sql(`UPDATE members SET role = 'owner' WHERE user_id = ANY($1)`, [[one.id, other.id]]);
    const sessions = await Promise.all([one, other].map(({ email }) => signIn(app, email)));
    const [first, second] = sessions.map(({ body }) => ({ token: body.session.token }));
    const answers = await Promise.all([on('disable', other.id, first), on('disable', one.id, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('an account that was disabled and then removed', () => {
  const remove = (userId: string) =>
    ask(service, `DELETE /organization/${organizationId}/members/${userId}`, { token: owner.token });
  const byDirectory = (userId: string, organization: string, by: SignedUp) =>
    app.inject({
      method: 'DELETE',
      url: `/internal/users/${userId}?organizationId=${organization}&actorUserId=${by.id}`,
      headers: key,
    });

  /** A person's own account, which belongs to the organization alone. */
  async function join() {
    const ada = await signUp(app);
    await sql('DELETE FROM members WHERE user_id = $1', [ada.id]);
    await enter(service, organizationId, ada, 'member');
    return ada;
  }

  test.each(['made by the organization', 'their own'])('is the person’s again: %s [S-78]', async (whose) => {
    const person = whose === 'their own' ? await join() : await employ();
    expect((await disable(person.id)).status).toBe(200);
    expect((await remove(person.id)).status).toBe(204);

    const back = await signIn(app, person.email);
    expect(back.status).toBe(200);
    expect(back.body.user.organizationId).not.toBe(organizationId);
    // Nothing of before comes back with it.
    expect((await send(app, 'GET /session', { token: person.token })).status).toBe(401);
    expect((await refresh(app, person.refreshToken)).status).toBe(401);
    const { events } = await traces(service, {
      organizationId: String(back.body.user.organizationId),
      userId: person.id,
    });
    expect((events.at(-1)?.['payload'] as { disabled: boolean }).disabled).toBe(false);
    await send(app, 'POST /password/forgot', { body: { email: person.email } });
    expect(await lettersTo(service, person.email)).toContain('reset-password');
  });

  test('is the person’s again where the directory removes it, or can be made again where it is erased', async () => {
    const [ada, grace] = [await join(), await employ()];
    for (const { id } of [ada, grace]) {
      await disable(id);
      expect((await byDirectory(id, organizationId, owner)).statusCode).toBe(204);
    }
    expect((await signIn(app, ada.email)).status).toBe(200);
    const body = { email: grace.email, password, name: 'Grace' };
    expect((await send(app, 'POST /sign-up/email', { body })).status).toBe(201);
  });

  test('is the person’s again where the whole organization is deleted [S-78]', async () => {
    const other = await foundCompany(service);
    const grace = await employ(other.id, other.owner);
    const path = `/organization/${other.id}/members/${grace.id}/disable`;
    expect((await send(app, `POST ${path}`, { token: other.owner.token })).status).toBe(200);
    expect((await send(app, `DELETE /organization/${other.id}`, { token: other.owner.token })).status).toBe(
      200,
    );
    expect((await signIn(app, grace.email)).status).toBe(200);
  });

  test('stays disabled where the operator did it', async () => {
    const grace = await employ();
    await operator('disable', grace.email);
    expect((await remove(grace.id)).status).toBe(204);
    expect((await signIn(app, grace.email)).status).toBe(401);
    expect((await operator('enable', grace.email)).statusCode).toBe(204);
    expect((await signIn(app, grace.email)).status).toBe(200);
  });

  test('is the person’s again after an upgrade, too', async () => {
    const database = await createFormerDatabase('auth-service', { before: '20261123' });
    onTestFinished(() => database.drop());
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    const [gone, kept, organization] = [randomUUID(), randomUUID(), randomUUID()];
    await admin.query(
      `INSERT INTO organizations (id, name, slug, created_at, updated_at) VALUES ($1, 'Acme', 'acme', now(), now())`,
      [organization],
    );
    for (const id of [gone, kept]) {
      await admin.query(
        `INSERT INTO users (id, email, name, created_at, updated_at, disabled_at, disabled_by_organization_id)
         VALUES ($1, $3, 'Grace', now(), now(), now(), $2)`,
        [id, organization, `${id}@example.com`],
      );
    }
    await admin.query(
      `INSERT INTO members (organization_id, user_id, role, created_at, updated_at) VALUES ($1, $2, 'member', now(), now())`,
      [organization, kept],
    );
    await admin.end();
    await database.upgrade();
    const after = new pg.Client({ connectionString: database.adminUrl });
    await after.connect();
    const { rows } = await after.query<{ id: string }>('SELECT id FROM users WHERE disabled_at IS NOT NULL');
    await after.end();
    expect(rows).toEqual([{ id: kept }]);
  });
});

describe('the operator', () => {
  test('disables any account by its address, and enables it again [S-78]', async () => {
    const ada = await signUp(app);
    expect((await operator('disable', ada.email.toUpperCase())).statusCode).toBe(204);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    expect((await signIn(app, ada.email)).body.code).toBe('INVALID_CREDENTIALS');
    const [recorded] = await sql(
      `SELECT actor_kind AS kind, actor_user_id AS by, details FROM audit_events WHERE action = 'user.disabled' AND target_id = $1`,
      [ada.id],
    );
    expect(recorded).toEqual({ kind: 'operator', by: null, details: {} });
    expect((await operator('enable', ada.email)).statusCode).toBe(204);
    expect((await signIn(app, ada.email)).status).toBe(200);
  });

  test('has the last word: no owner enables what the operator has disabled [S-78]', async () => {
    const grace = await employ();
    await disable(grace.id);
    expect((await operator('disable', grace.email)).statusCode).toBe(204);
    expect((await enable(grace.id)).body.code).toBe('FORBIDDEN');
    expect((await operator('enable', grace.email)).statusCode).toBe(204);
    expect((await signIn(app, grace.email)).status).toBe(200);
  });

  test('reports an address without an account, and needs the key', async () => {
    expect((await operator('disable', newEmail())).statusCode).toBe(404);
    expect((await internal('/disable', { email: owner.email }, {})).statusCode).toBe(401);
    expect((await send(app, 'GET /session', { token: owner.token })).status).toBe(200);
  });
});
