import { randomUUID } from 'node:crypto';
import { expect, describe, test } from 'vitest';
import { claimsOf, newPassword, password, send, signIn, signUp } from './support/client.ts';
import { enter, foundCompany, personalOrganizationOf, switchTo } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;
const ada = await signUp(app);
const organizationId = claimsOf(ada.token)['organizationId'] as string;

interface Trail {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}
const read = async (query = '', token = ada.token, of = organizationId) => {
  const { status, body } = await send(app, `GET /organization/${of}/audit${query}`, { token });
  return { status, body: body as unknown as Trail & { code: string } };
};
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const add = (actor: string | null, action: string) =>
  sql(
    `INSERT INTO audit_events (organization_id, actor_user_id, action, target_type, target_id, ip_address, device, details)
     VALUES ($1, $2, $3, 'user', 'x', '203.0.113.9', $4, '{"from": "admin", "to": "member"}')`,
    [organizationId, actor, action, firefox],
  );

describe('GET /organization/:organizationId/audit', () => {
  test('shows who did what to whom, from where and when, newest first [S-180]', async () => {
    await add(null, 'invitation.rejected');
    await add(ada.id, 'member.role-changed');
    const { status, body } = await read('?pageSize=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, pageSize: 2, total: expect.any(Number) as number });
    expect(body.events).toEqual([
      {
        id: expect.any(String) as string,
        action: 'member.role-changed',
        actor: { kind: 'user', userId: ada.id, name: ada.name },
        target: { type: 'user', id: 'x', name: null },
        ipAddress: '203.0.113.9',
        device: firefox,
        ...{ browser: 'Firefox 140', system: 'Linux' },
        details: { from: 'admin', to: 'member' },
        createdAt: expect.any(String) as string,
      },
      expect.objectContaining({ action: 'invitation.rejected', actor: null }) as object,
    ]);
  });

  test('stays readable when the actor is gone: the id remains', async () => {
    const gone = randomUUID();
    await add(gone, 'member.removed');
    const { body } = await read('?pageSize=1');
    expect(body.events[0]).toMatchObject({ actor: { kind: 'user', userId: gone, name: null } });
  });

  test('names former members as they were called at the time, until they are erased, and notifies other services [S-196]', async () => {
    const { id, owner, member } = await foundCompany(service);
    await switchTo(service, member.token, id);
    await signIn(app, member.email);
    const token = await switchTo(service, owner.token, id);
    const path = `/organization/${id}/members/${member.id}`;
    expect((await send(app, `DELETE ${path}`, { token })).status).toBeLessThan(300);
    const about = async (query: string) => {
      const { events } = (await read(`?pageSize=100&${query}`, token, id)).body;
      return events.map(({ action, actor, target }) => ({ action, actor, target }));
    };
    const removal = (name: string | null) => ({
      action: 'member.removed',
      actor: { kind: 'user', userId: owner.id, name: owner.name },
      target: { type: 'user', id: member.id, name },
    });
    expect(await about('action=member.removed')).toEqual([removal(member.name)]);
    const own = await about(`actorUserId=${member.id}`);
    expect(own).toContainEqual(
      expect.objectContaining({ actor: { kind: 'user', userId: member.id, name: member.name } }) as object,
    );
    const again = (await signIn(app, member.email)).body.session.token;
    expect((await send(app, 'DELETE /user', { token: again, body: { password } })).status).toBeLessThan(300);
    expect(await about('action=member.removed')).toEqual([removal(null)]);
    const erased = { kind: 'user', userId: member.id, name: null };
    expect(await about(`actorUserId=${member.id}`)).toEqual(
      own.map((entry) => ({ ...entry, actor: erased })),
    );
    const told = await sql(`SELECT FROM events WHERE type = 'user.erased' AND organization = $1`, [id]);
    expect(told).toHaveLength(1);
  });

  test('names the address of an invitation while it is open', async () => {
    const { id, owner } = await foundCompany(service);
    const token = await switchTo(service, owner.token, id);
    const body = { email: 'ingrid@invited.example', role: 'member' };
    const path = `/organization/${id}/invitations`;
    const made = await send(app, `POST ${path}`, { token, body });
    const { id: invitationId } = (made.body as unknown as { invitation: { id: string } }).invitation;
    const name = async () => {
      const { events } = (await read('?action=invitation.created', token, id)).body;
      return (events[0]?.['target'] as { name: string | null }).name;
    };
    expect(await name()).toBe('ingrid@invited.example');
    expect((await send(app, `DELETE ${path}/${invitationId}`, { token })).status).toBeLessThan(300);
    expect(await name()).toBeNull();
  });

  test('is paged; a page beyond the end is empty and has the total', async () => {
    for (let n = 0; n < 12; n++) await add(ada.id, 'member.added');
    const { total } = (await read()).body;
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => (await read(`?pageSize=5&page=${page}`)).body),
    );
    const ids = pages.flatMap(({ events }) => events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(15);
    expect([...ids].sort().reverse()).toEqual(ids);
    expect((await read('?page=1000')).body).toEqual({ events: [], total, page: 1000, pageSize: 10 });
  });

  test('is refused with 400, 401 and 403, and is 404 to another tenant as for an unknown id [S-180]', async () => {
    expect((await read('?page=0')).status).toBe(400);
    expect((await read('?pageSize=101')).status).toBe(400);
    expect((await read('', ada.token, '42')).status).toBe(400);
    expect((await send(app, `GET /organization/${organizationId}/audit`)).status).toBe(401);

    const eve = await signUp(app, 'Eve');
    expect((await read('', eve.token)).status).toBe(404);
    expect((await read('', eve.token, randomUUID())).status).toBe(404);
    await sql(
      `INSERT INTO members (organization_id, user_id, role, created_at, updated_at)
       VALUES ($1, $2, 'member', now(), now())`,
      [organizationId, eve.id],
    );
    expect((await read('', eve.token)).body.code).toBe('FORBIDDEN');
    await sql(`UPDATE members SET role = 'admin' WHERE user_id = $1 AND organization_id = $2`, [
      eve.id,
      organizationId,
    ]);
    expect((await read('', eve.token)).status).toBe(200);
  });
});

describe('a trail by filters', () => {
  const of = (id: string, token: string, query: string) => read(`?pageSize=100${query}`, token, id);

  test('finds an action, an actor, a target and a period, and any of them together; unknown ones are 400', async () => {
    const { id, owner, admin, member } = await foundCompany(service);
    const token = await switchTo(service, owner.token, id);
    await switchTo(service, admin.token, id);
    const path = `/organization/${id}/members/${member.id}`;
    expect((await send(app, `PATCH ${path}`, { token, body: { role: 'admin' } })).status).toBe(200);
    const [changed] = (await of(id, token, '&action=member.role-changed')).body.events;
    expect(changed).toMatchObject({
      actor: { kind: 'user', userId: owner.id, name: owner.name },
      target: { type: 'user', id: member.id, name: member.name },
    });
    const at = String(changed?.['createdAt']);
    const later = new Date(Date.parse(at) + 1_000).toISOString();
    const totals = async (query: string) => (await of(id, token, query)).body.total;
    expect(await totals(`&action=member.role-changed&actorUserId=${owner.id}&targetId=${member.id}`)).toBe(1);
    expect(
      await totals(
        `&action=member.role-changed&actorUserId=${owner.id.toUpperCase()}&targetId=${member.id.toUpperCase()}`,
      ),
    ).toBe(1);
    expect(await totals(`&action=member.role-changed&actorUserId=${admin.id}`)).toBe(0);
    expect(await totals(`&targetId=${member.id}&from=${later}`)).toBe(0);
    expect(
      await totals(
        `&targetId=${member.id}&to=${later}&from=${new Date(Date.parse(at) - 5_000).toISOString()}`,
      ),
    ).toBe(1);
    expect((await of(id, token, '&action=nothing')).status).toBe(400);
    expect((await of(id, token, '&actorUserId=42')).status).toBe(400);
    expect((await of(id, token, '&from=yesterday')).status).toBe(400);
  });
});

describe("a user's own trail", () => {
  const own = async (token: string, query = '') => {
    const { status, body } = await send(app, `GET /audit${query}`, { token });
    return { status, body: body as unknown as Trail };
  };
  const actions = (events: Trail['events']) => events.map(({ action }) => action);
  const trailOf = async (id: string, actor: string) =>
    (
      await sql(
        'SELECT action FROM audit_events WHERE organization_id = $1 AND actor_user_id = $2 ORDER BY id DESC',
        [id, actor],
      )
    ).map(({ action }) => action);
  const changePassword = (token: string) =>
    send(app, 'POST /password/change', { token, body: { currentPassword: password, newPassword } });

  test('holds what happened to the account, and every organization has a copy, whichever is active [S-188]', async () => {
    const [first, second] = [await foundCompany(service), await foundCompany(service)];
    const { member } = first;
    await enter(service, second.id, member, 'member');
    const personal = personalOrganizationOf(member);
    const renamed = await send(app, 'PATCH /user', { token: member.token, body: { name: 'Mia Young' } });
    expect(renamed.status).toBe(200);
    const changed = await changePassword(member.token);
    expect(changed.status).toBe(200);

    const { status, body } = await own(changed.body.session.token);
    expect(status).toBe(200);
    expect(actions(body.events)).toEqual(['password.changed', 'profile.updated', 'session.started']);
    expect(body.events[0]).toMatchObject({
      actor: { kind: 'user', userId: member.id, name: 'Mia Young' },
      target: null,
    });
    for (const id of [first.id, second.id])
      expect(await trailOf(id, member.id)).toEqual(['password.changed', 'profile.updated']);
    expect(await trailOf(personal, member.id)).toContain('password.changed');
  });

  test('stays with an organization that the user has left, which gets no later entries [S-188]', async () => {
    const { id, member } = await foundCompany(service);
    await signIn(app, member.email);
    expect((await send(app, `POST /organization/${id}/leave`, { token: member.token })).status).toBeLessThan(
      300,
    );
    await signIn(app, member.email);
    expect(await trailOf(id, member.id)).toEqual(['member.left', 'session.started']);
    const started = await own(
      (await signIn(app, member.email)).body.session.token,
      '?action=session.started',
    );
    expect(started.body.total).toBe(4);
  });

  test('continues without any organization, is paged and filtered, and shows no other user [S-188]', async () => {
    const nora = await signUp(app, 'Nora');
    await sql('DELETE FROM members WHERE user_id = $1', [nora.id]);
    for (let n = 0; n < 3; n += 1) await signIn(app, nora.email);
    const { token } = (await signIn(app, nora.email)).body.session;
    const { body } = await own(token, '?pageSize=2&page=2');
    expect(body).toMatchObject({ page: 2, pageSize: 2, total: 5 });
    expect(body.events).toHaveLength(2);
    expect((await own(token, '?action=password.changed')).body.total).toBe(0);
    expect((await own(token, `?from=${new Date(Date.now() + 60_000).toISOString()}`)).body.total).toBe(0);
    expect((await own(token, '?action=member.added')).status).toBe(400);
    expect((await send(app, 'GET /audit')).status).toBe(401);
  });

  test('names another actor, and only by id once they are erased', async () => {
    const [nora, olga, gone] = [await signUp(app, 'Nora'), await signUp(app, 'Olga'), randomUUID()];
    await sql(
      `INSERT INTO user_audit_events (user_id, actor_kind, actor_user_id, action, details)
       VALUES ($1, 'user', $2, 'two-factor.reset', '{}'), ($1, 'user', $3, 'two-factor.reset', '{}')`,
      [nora.id, gone, olga.id],
    );
    const { body } = await own(nora.token, '?action=two-factor.reset');
    expect(body.events.map(({ actor }) => actor)).toEqual([
      { kind: 'user', userId: olga.id, name: 'Olga' },
      { kind: 'user', userId: gone, name: null },
    ]);
  });

  test('is deleted with the account; the copies keep the id, without addresses and devices [S-188]', async () => {
    const { id, member } = await foundCompany(service);
    const { token } = (await signIn(app, member.email, { 'user-agent': 'Firefox/140' })).body.session;
    expect((await send(app, 'DELETE /user', { token, body: { password } })).status).toBeLessThan(300);
    expect(await sql('SELECT FROM user_audit_events WHERE user_id = $1', [member.id])).toEqual([]);
    const copies = await sql(
      'SELECT action, ip_address, device, actor_name FROM audit_events WHERE organization_id = $1 AND actor_user_id = $2 ORDER BY id',
      [id, member.id],
    );
    expect(copies).toEqual([
      { action: 'session.started', ip_address: null, device: null, actor_name: null },
      { action: 'user.erased', ip_address: null, device: null, actor_name: null },
    ]);
  });
});
