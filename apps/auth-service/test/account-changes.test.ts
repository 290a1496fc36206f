import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { send, signUp } from './support/client.ts';
import { foundCompany } from './support/organizations.ts';
import { startService } from './support/service.ts';

describe('a change of one’s own profile', () => {
  test("leaves as many rows in the organization's trail as the hourly limit allows, and none if nothing changes [S-187]", async () => {
    // The member has an organization of their own too, and a name is told to both.
    const limited = await startService({ settings: { RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '10' } });
    const company = await foundCompany(limited);
    const rename = (name: string) =>
      send(limited.app, 'PATCH /user', { token: company.member.token, body: { name } });
    const name = (n: number) => `Mia ${n}`;
    for (let n = 0; n < 10; n += 1) expect((await rename('Mia Member')).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => rename(name(n))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 429)?.body.message).toBe(
      'Too many changes to your account. Try again in about an hour.',
    );
    const trail = `SELECT action FROM audit_events WHERE organization_id = $1 AND action = 'profile.updated'`;
    expect(await limited.sql(trail, [company.id])).toHaveLength(5);
    // Neither a colleague nor another organization pays for it.
    const other = await send(limited.app, 'PATCH /user', {
      token: company.admin.token,
      body: { name: 'Adam A.' },
    });
    expect(other.status).toBe(200);
  });

  test('of the name counts for each organization that is told of it, any other once', async () => {
    const limited = await startService({ settings: { RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '7' } });
    const { token } = await signUp(limited.app);
    for (const slug of ['one', 'two']) {
      const body = { name: slug, slug: `${slug}-${randomUUID()}` };
      expect((await send(limited.app, 'POST /organization/create', { token, body })).status).toBe(201);
    }
    const change = async (body: object) => (await send(limited.app, 'PATCH /user', { token, body })).status;
    expect(await change({ name: 'Ada I.' })).toBe(200);
    expect(await change({ name: 'Ada II.' })).toBe(200);
    expect(await change({ name: 'Ada III.' })).toBe(429);
    // What was refused is not counted.
    expect(await change({ language: 'sv' })).toBe(200);
    expect(await change({ language: 'en' })).toBe(429);
  });

  test('counts against one limit, whichever route makes it [S-187]', async () => {
    const limited = await startService({ settings: { RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '4' } });
    const { id: organizationId, member } = await foundCompany(limited);
    const byDirectory = (name: string) =>
      limited.app.inject({
        method: 'PATCH',
        url: `/internal/users/${member.id}`,
        headers: { authorization: `Bearer ${limited.config.INTERNAL_API_KEY[0] ?? ''}` },
        payload: { organizationId, actorUserId: member.id, name },
      });
    expect((await byDirectory('Mia')).statusCode).toBe(200);
    // The same again changes nothing: it is not counted, and leaves no row.
    for (let n = 0; n < 4; n += 1) expect((await byDirectory('Mia')).statusCode).toBe(200);
    const body = { name: 'Mia M.' };
    expect((await send(limited.app, 'PATCH /user', { token: member.token, body })).status).toBe(200);
    expect((await byDirectory('Mia N.')).statusCode).toBe(429);
    const trail = `SELECT action FROM audit_events WHERE organization_id = $1 AND actor_user_id = $2 ORDER BY id`;
    const rows = await limited.sql(trail, [organizationId, member.id]);
    expect(rows.map(({ action }) => action)).toEqual(['user.updated', 'profile.updated']);
  });

  test('to the sessions that there are is no change where there is no other', async () => {
    const { app, sql } = await startService();
    const ada = await signUp(app);
    for (let n = 0; n < 5; n += 1) {
      const answer = await send(app, 'DELETE /sessions?scope=others', { token: ada.token });
      expect(answer.body).toMatchObject({ revoked: 0 });
    }
    const trail = `SELECT action FROM audit_events WHERE actor_user_id = $1 AND action = 'sessions.revoked'`;
    expect(await sql(trail, [ada.id])).toEqual([]);
  });
});
