import { randomUUID } from 'node:crypto';
import { expect, describe, test } from 'vitest';
import { claimsOf, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app, sql } = await startService();
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
const add = (actor: string | null, action: string) =>
  sql(
    `INSERT INTO audit_events (organization_id, actor_user_id, action, target_type, target_id, ip_address, device, details)
     VALUES ($1, $2, $3, 'user', 'x', '203.0.113.9', 'Firefox', '{"from": "admin", "to": "member"}')`,
    [organizationId, actor, action],
  );

describe('GET /organization/:organizationId/audit', () => {
  test('shows who did what to whom, from where and when, newest first', async () => {
    await add(null, 'invitation.rejected');
    await add(ada.id, 'member.role-changed');
    const { status, body } = await read('?pageSize=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, pageSize: 2, total: expect.any(Number) as number });
    expect(body.events).toEqual([
      {
        id: expect.any(String) as string,
        action: 'member.role-changed',
        actor: { userId: ada.id, name: ada.name },
        target: { type: 'user', id: 'x' },
        ipAddress: '203.0.113.9',
        device: 'Firefox',
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
    expect(body.events[0]).toMatchObject({ actor: { userId: gone, name: null } });
  });

  test('comes in pages; one beyond the end is empty and knows the total', async () => {
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

  test('is refused with 400, 401 and 403, and is 404 to another tenant as for an unknown id', async () => {
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
