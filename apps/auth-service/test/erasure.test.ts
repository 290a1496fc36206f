import { describe, expect, test } from 'vitest';
import { anyString, newEmail, password, refresh, send, signIn, signUp } from './support/client.ts';
import {
  ask,
  enter,
  foundCompany,
  mailedInvitation,
  personalOrganizationOf,
  rolesIn,
  switchTo,
} from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;

const erase = (token: string, body: unknown = { password }) => ask(service, 'DELETE /user', { token, body });

describe('DELETE /user', () => {
  test('leaves nothing personal behind, in no table [S-195]', async () => {
    const company = await foundCompany(service);
    const { member } = company;
    await ask(service, `POST /organization/${personalOrganizationOf(member)}/invitations`, {
      token: member.token,
      body: { email: newEmail(), role: 'member' },
    });
    const { status, body } = await erase(member.token);
    expect(status).toBe(204);
    expect(body).toBeUndefined();

    const tables = await sql(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    for (const { relname } of tables) {
      const rows = JSON.stringify(await sql(`SELECT * FROM ${String(relname)}`));
      expect({ relname, email: rows.includes(member.email) }).toEqual({ relname, email: false });
      if (relname !== 'users') continue;
      expect(rows).not.toContain(member.id);
    }
    for (const table of ['members', 'sessions', 'credentials', 'mailed_tokens', 'two_factor']) {
      expect(await sql(`SELECT FROM ${table} WHERE user_id = $1`, [member.id])).toEqual([]);
    }
    expect(await sql('SELECT FROM organizations WHERE id = $1', [personalOrganizationOf(member)])).toEqual(
      [],
    );
  });

  test('ends every session and token, and tells verifiers and directories [S-195]', async () => {
    const { id, member } = await foundCompany(service);
    await erase(member.token);
    expect((await send(app, 'GET /session', { token: member.token })).status).toBe(401);
    expect((await refresh(app, member.refreshToken)).status).toBe(401);
    const revoked = await sql('SELECT kind FROM revocations WHERE sub = $1', [member.id]);
    expect(revoked).toContainEqual({ kind: 'user' });
    const events = await sql('SELECT type, payload FROM events WHERE user_id = $1', [member.id]);
    expect(events).toContainEqual({
      type: 'user.erased',
      payload: { organizationId: id, userId: member.id },
    });
    expect(JSON.stringify(events)).not.toContain(member.email);
    expect(await rolesIn(service, id)).not.toHaveProperty('Mia Member');
  });

  test('keeps the audit trail, by id [S-195]', async () => {
    const { id, owner, member } = await foundCompany(service);
    await ask(service, `PATCH /organization/${id}/members/${member.id}`, {
      token: owner.token,
      body: { role: 'admin' },
    });
    await erase(member.token);
    const audit = await sql(
      `SELECT action, actor_user_id AS actor, target_id AS target FROM audit_events
       WHERE organization_id = $1 AND target_id = $2 ORDER BY id`,
      [id, member.id],
    );
    expect(audit).toEqual([
      { action: 'member.role-changed', actor: owner.id, target: member.id },
      { action: 'user.erased', actor: member.id, target: member.id },
    ]);
  });

  test('deletes addresses and devices, also in organizations that they have left [S-195]', async () => {
    const { id, owner, member } = await foundCompany(service);
    const phone = { 'x-device-id': 'mias-phone-0001', 'user-agent': 'MiasOwnApp/1' };
    const { token } = (await signIn(app, member.email, phone)).body.session;
    await switchTo(service, token, id);
    await send(app, 'POST /two-factor/enable', { token, body: { password: 'wrong' }, headers: phone });
    await sql(
      `INSERT INTO audit_events (organization_id, actor_user_id, action, ip_address, device, details)
       SELECT $1, id, 'session.started', '203.0.113.7', 'MiasOwnApp/1', '{}' FROM unnest($2::uuid[]) AS id`,
      [id, [member.id, owner.id]],
    );
    expect((await ask(service, `POST /organization/${id}/leave`, { token })).status).toBe(204);
    expect((await ask(service, 'DELETE /user', { token, body: { password }, headers: phone })).status).toBe(
      204,
    );

    const rows = await sql('SELECT actor_user_id AS actor, host(ip_address) AS ip, device FROM audit_events');
    const theirs = rows.filter(({ actor }) => actor === member.id);
    expect(theirs.length).toBeGreaterThan(2);
    for (const row of theirs) expect(row).toEqual({ actor: member.id, ip: null, device: null });
    // What others did stays as it was.
    expect(rows).toContainEqual({ actor: owner.id, ip: '203.0.113.7', device: 'MiasOwnApp/1' });
  });

  test('leaves the next owner of the address no known device [S-195]', async () => {
    const ada = await signUp(app);
    const phone = { 'x-device-id': 'adas-phone-0009' };
    const { token } = (await signIn(app, ada.email, phone)).body.session;
    const known = async () =>
      (await sql('SELECT count(*)::int AS devices FROM known_devices'))[0]?.['devices'];
    const before = Number(await known());
    expect((await erase(token)).status).toBe(204);
    expect(await known()).toBe(before - 1);
  });

  test('makes the last owner of an organization with members hand it over first', async () => {
    const { id, owner, admin } = await foundCompany(service);
    const { status, body } = await erase(owner.token);
    expect(status).toBe(409);
    expect(body).toEqual({
      code: 'LAST_OWNER',
      message: anyString,
      details: [
        {
          field: 'organization',
          rule: 'lastOwner',
          params: { name: 'Acme' },
          message: 'Acme has no other owner',
        },
      ],
      requestId: anyString,
    });
    expect((await send(app, 'GET /session', { token: owner.token })).status).toBe(200);
    expect(
      await sql('SELECT FROM organizations WHERE id = $1', [personalOrganizationOf(owner)]),
    ).toHaveLength(1);

    await sql(`UPDATE members SET role = 'owner' WHERE organization_id = $1 AND user_id = $2`, [
      id,
      admin.id,
    ]);
    expect((await erase(owner.token)).status).toBe(204);
    expect(await rolesIn(service, id)).toMatchObject({ 'Adam Admin': 'owner' });
  });

  test('asks for the password unless the user signed in recently', async () => {
    const ada = await signUp(app);
    await sql(
      `UPDATE sessions SET authenticated_at = authenticated_at - INTERVAL '6 minutes' WHERE user_id = $1`,
      [ada.id],
    );
    const stale = await erase(ada.token, {});
    expect({ status: stale.status, code: stale.body.code }).toEqual({
      status: 401,
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
    });
    const wrong = await erase(ada.token, { password: 'not my password' });
    expect({ status: wrong.status, code: wrong.body.code }).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    });
    expect((await erase(ada.token)).status).toBe(204);
  });

  test('is refused to the anonymous, and with unknown fields', async () => {
    expect((await ask(service, 'DELETE /user', { body: {} })).status).toBe(401);
    const ada = await signUp(app);
    const { status, body } = await erase(ada.token, { password, userId: ada.id });
    expect(status).toBe(400);
    expect(body.details[0]?.field).toBe('userId');
  });

  test('needs no body right after the sign-in', async () => {
    const { token } = await signUp(app);
    expect((await ask(service, 'DELETE /user', { token })).status).toBe(204);
  });

  test('frees the address', async () => {
    const ada = await signUp(app);
    await erase(ada.token);
    const body = { email: ada.email, password, name: 'Ada again' };
    expect((await send(app, 'POST /sign-up/email', { body })).status).toBe(201);
  });

  test('takes the mail to the address out of the outbox, and shows who invited as gone', async () => {
    const { id, owner, admin } = await foundCompany(service);
    const email = newEmail();
    await ask(service, `POST /organization/${id}/invitations`, {
      token: admin.token,
      body: { email, role: 'member' },
    });
    const token = await mailedInvitation(service, email);
    await erase(admin.token);
    const listed = await ask<{ invitations: readonly object[] }>(
      service,
      `GET /organization/${id}/invitations`,
      {
        token: owner.token,
      },
    );
    expect(listed.body.invitations).toMatchObject([{ email, invitedBy: null }]);
    const newcomer = await ask(service, 'POST /sign-up/email', {
      body: { email, password, name: 'Nina', invitationToken: token },
    });
    expect(newcomer.status).toBe(201);
  });

  test('twenty parallel erasures erase once', async () => {
    const company = await foundCompany(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => erase(company.member.token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    // The password of an account that is gone is a wrong one, and too many of those are 429.
    expect(statuses.filter((status) => status === 401 || status === 429)).toHaveLength(19);
    await enter(service, company.id, await signUp(app, 'Later'), 'member');
  });
});
