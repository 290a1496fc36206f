import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLead,
  invalid,
  refusal,
  startService,
  type TestService,
  timestamp,
} from './support/service.ts';

interface AuditEvent {
  readonly id: string;
  readonly action: string;
  readonly actor: {
    readonly kind: string;
    readonly userId: string | null;
    readonly name: string | null;
  } | null;
  readonly target: { readonly type: string; readonly id: string; readonly name: string | null } | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

let service: TestService;
let superuser: pg.Pool;
beforeAll(async () => {
  service = await startService();
  superuser = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  superuser.on('error', () => undefined);
});
afterAll(async () => {
  await superuser.end();
  await service.close();
});

/** An admin of a new organization, and what the trail shows this admin. */
async function newAdmin() {
  const userId = randomUUID();
  const caller = await service.member({ role: 'admin', sub: userId, name: 'Ingrid' });
  const trail = async (query = '') => {
    const { body } = await caller.send('GET', `/api/leads/audit${query}`);
    return { events: body.data as unknown as AuditEvent[], meta: body.meta };
  };
  return { ...caller, userId, trail };
}

describe('the audit trail', () => {
  it('tells who created, changed and deleted which lead, newest first', async () => {
    const admin = await newAdmin();
    // A name with letters that no id has.
    const id = await createLead(admin, { name: 'Grace Hopper', email: 'hopper@people.example' });
    await admin.send('PUT', `/api/leads/${id}`, { body: { status: 'contacted', notes: 'A secret' } });
    await admin.send('DELETE', `/api/leads/${id}`);
    const { events, meta } = await admin.trail();
    const actor = { kind: 'user', userId: admin.userId, name: 'Ingrid' };
    const common = { actor, target: { type: 'lead', id, name: 'Grace Hopper' }, createdAt: timestamp };
    const values = { status: { from: 'new', to: 'contacted' } };
    const changed = { fields: ['notes', 'status'], values };
    expect(events).toMatchObject([
      { ...common, action: 'lead.deleted', details: {} },
      { ...common, action: 'lead.updated', details: changed },
      { ...common, action: 'lead.created', details: {} },
    ]);
    expect(meta).toEqual({ total: 3, page: 1, pageSize: 10 });
    expect(JSON.stringify(events)).not.toMatch(/secret|people/i);
  });

  it('tells a service account from a user [S-98]', async () => {
    const admin = await newAdmin();
    const { organizationId } = admin;
    const userId = randomUUID();
    const key = await service.serviceAccount({
      ...{ organizationId, sub: userId, name: 'Web shop', scope: 'leads:write audit:read' },
    });
    const id = await createLead(key, { name: 'Grace Hopper' });
    const actor = { kind: 'service-account', userId, name: 'Web shop' };
    const target = { type: 'lead', id, name: 'Grace Hopper' };
    expect((await admin.trail()).events).toMatchObject([{ action: 'lead.created', actor, target }]);
    expect((await admin.trail(`?actorUserId=${userId}`)).meta.total).toBe(1);
    expect(service.logs()).toContain(`"serviceAccountId":"${userId}","organizationId":"${organizationId}"`);
    // Members cannot read the trail: nor can their keys.
    expect(refusal(await key.send('GET', '/api/leads/audit'))).toMatchObject({ status: 403 });
  });

  it('names a lead as it was called then, until it is erased [S-196]', async () => {
    const admin = await newAdmin();
    const id = await createLead(admin, { name: 'Ada Byron' });
    await admin.send('PUT', `/api/leads/${id}`, { body: { name: 'Ada Lovelace' } });
    await admin.send('DELETE', `/api/leads/${id}`);
    const names = async () => (await admin.trail()).events.map(({ target }) => target?.name);
    expect(await names()).toEqual(['Ada Lovelace', 'Ada Lovelace', 'Ada Byron']);
    await admin.send('POST', `/api/leads/${id}/erase`);
    expect(await names()).toEqual([null, null, null, null]);
  });

  it('shows what an earlier version has written, which kept no names', async () => {
    const admin = await newAdmin();
    await superuser.query(
      `INSERT INTO audit_events (organization_id, actor_user_id, action, target_type, target_id)
       VALUES ($1, NULL, 'lead.purged', NULL, NULL), ($1, $2, 'lead.created', 'lead', $2)`,
      [admin.organizationId, admin.userId],
    );
    const { userId } = admin;
    expect((await admin.trail()).events).toMatchObject([
      {
        actor: { kind: 'user', userId, name: null },
        target: { type: 'lead', id: userId, name: null },
      },
      { actor: null, target: null },
    ]);
  });

  it('keeps nothing of what is refused', async () => {
    const admin = await newAdmin();
    const id = await createLead(admin);
    const headers = { 'if-match': '"7"' };
    await admin.send('PUT', `/api/leads/${id}`, { body: { status: 'won' } });
    await admin.send('PUT', `/api/leads/${id}`, { body: { name: 'Eve' }, headers });
    await admin.send('DELETE', `/api/leads/${id}`, { headers });
    await admin.send('DELETE', `/api/leads/${randomUUID()}`);
    expect((await admin.trail()).meta.total).toBe(1);
  });

  it('keeps nothing of a change that changes nothing, which leaves the lead and its entity tag as they are [S-187]', async () => {
    const admin = await newAdmin();
    const id = await createLead(admin, { name: 'Grace Hopper', email: 'grace@example.com', phone: '123' });
    const before = await admin.send('GET', `/api/leads/${id}`);
    const same = { name: ' Grace Hopper ', email: 'grace@example.com', phone: '123', status: 'new' };
    for (const body of [same, { status: 'new' }, { notes: null }]) {
      expect((await admin.send('PUT', `/api/leads/${id}`, { body })).status).toBe(200);
    }
    const after = await admin.send('GET', `/api/leads/${id}`);
    expect({ ...after.body, meta: null }).toEqual({ ...before.body, meta: null });
    expect(after.headers['etag']).toBe(before.headers['etag']);
    expect((await admin.trail()).meta.total).toBe(1);
  });

  it('and what it records exist together or not at all [S-180]', async () => {
    const admin = await newAdmin();
    const id = await createLead(admin);
    await superuser.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more room'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION fail()`);
    const body = { name: 'Eve', email: 'eve@example.com' };
    expect((await admin.send('POST', '/api/leads', { body })).status).toBe(500);
    expect((await admin.send('PUT', `/api/leads/${id}`, { body })).status).toBe(500);
    expect((await admin.send('DELETE', `/api/leads/${id}`)).status).toBe(500);
    await superuser.query('DROP TRIGGER fail ON audit_events; DROP FUNCTION fail');
    const kept = await admin.send('GET', '/api/leads');
    expect([kept.body.meta.total, kept.body.data[0]?.name]).toEqual([1, 'Ada']);
    expect((await admin.trail()).meta.total).toBe(1);
  });

  it('is filtered by action, actor, lead and time, and paged with the exact total', async () => {
    const admin = await newAdmin();
    const { organizationId } = admin;
    const colleague = await service.member({ organizationId });
    const first = await createLead(colleague);
    const second = await createLead(admin);
    await admin.send('DELETE', `/api/leads/${first}`);
    const found = async (query: string) => {
      const { events, meta } = await admin.trail(query);
      expect(events.length).toBe(Math.min(meta.total, meta.pageSize));
      return events.map(({ action, target }) => [action, target?.id === first ? 'first' : 'second']);
    };
    const deleted = ['lead.deleted', 'first'];
    const created = [
      ['lead.created', 'second'],
      ['lead.created', 'first'],
    ];
    expect(await found('?action=lead.deleted')).toEqual([deleted]);
    expect(await found(`?targetId=${second}`)).toEqual([created[0]]);
    expect(await found(`?actorUserId=${admin.userId}`)).toEqual([deleted, created[0]]);
    expect(await found(`?action=lead.created&targetId=${first}`)).toEqual([created[1]]);
    const [{ createdAt }] = (await admin.trail(`?action=lead.deleted`)).events as [AuditEvent];
    expect(await found(`?from=${createdAt}&action=lead.deleted`)).toEqual([deleted]);
    expect(await found(`?to=${createdAt}&action=lead.deleted`)).toEqual([]);
    expect(await found('?from=2999-01-01T00:00:00Z')).toEqual([]);

    const beyond = await admin.trail('?page=3&pageSize=2');
    expect([beyond.events, beyond.meta]).toEqual([[], { total: 3, page: 3, pageSize: 2 }]);
  });

  it.each([
    ['action=lead.read', 'action'],
    ['actorUserId=5', 'actorUserId'],
    ['from=yesterday', 'from'],
    ['pageSize=101', 'pageSize'],
    ['sort=action', 'sort'],
  ])('refuses %s by its name', async (query, field) => {
    const admin = await newAdmin();
    expect(refusal(await admin.send('GET', `/api/leads/audit?${query}`))).toEqual(invalid(field));
  });

  it('is shown to admins and owners of the organization alone [S-180]', async () => {
    const { organizationId, ...admin } = await newAdmin();
    await createLead({ organizationId, ...admin });
    const total = async (claims: object) => {
      const { status, body } = await (await service.member({ ...claims })).send('GET', '/api/leads/audit');
      return status === 200 ? body.meta.total : status;
    };
    expect(await total({ organizationId, role: 'owner' })).toBe(1);
    expect(await total({ organizationId, role: 'member' })).toBe(403);
    expect(await total({ role: 'owner' })).toBe(0);
  });

  it('can be added to, and neither changed nor deleted, by the service, which may forget names alone [S-180, S-196]', async () => {
    const admin = await newAdmin();
    await createLead(admin);
    const { pool } = service.database;
    const asService = (sql: string) =>
      pool.within({ organizationId: admin.organizationId }, async () => {
        await pool.query(sql);
      });
    for (const change of [`action = 'a.b'`, `actor_name = 'Eve'`, `target_name = 'Eve'`]) {
      await expect(asService(`UPDATE audit_events SET ${change}`)).rejects.toMatchObject({ code: '42501' });
    }
    // It may delete what is older than 30 days, by its retention.
    await asService('DELETE FROM audit_events');
    expect((await admin.trail()).meta.total).toBe(1);
  });
});
