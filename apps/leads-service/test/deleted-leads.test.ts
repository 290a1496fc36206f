import { randomUUID } from 'node:crypto';
import { mentionsOf } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  createLead,
  invalid,
  moveLead,
  notFound,
  refusal,
  startService,
  timestamp,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let sql: pg.Pool;
let admin: Caller;
beforeAll(async () => {
  // It deletes none for good itself: those that a test starts do.
  service = await startService({ env: { DELETED_LEADS_RETENTION_DAYS: '0' } });
  sql = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  sql.on('error', () => undefined);
});
beforeEach(async () => {
  admin = await service.member({ role: 'admin' });
});
afterAll(async () => {
  await sql.end();
  await service.close();
});

const remove = (id: string) => admin.send('DELETE', `/api/leads/${id}`);
const erase = (id: string, headers: Record<string, string> = {}, caller = admin) =>
  caller.send('POST', `/api/leads/${id}/erase`, { headers });
const list = async (query = '', caller = admin) => (await caller.send('GET', `/api/leads${query}`)).body;
const names = async (query: string) => (await list(query)).data.map(({ name }) => name);
const mentions = (text: string) => mentionsOf(service.testDatabase.adminUrl, text);

describe('GET /api/leads?deleted=true', () => {
  it('lists what was deleted, with the time, and nothing else', async () => {
    const [gone, live] = [await createLead(admin, { name: 'Gone' }), await createLead(admin)];
    const [theirs] = [await service.member()];
    await theirs.send('DELETE', `/api/leads/${await createLead(theirs)}`);
    await remove(gone);
    const { data, meta } = await list('?deleted=true&include=version,updatedAt');
    expect(meta.total).toBe(1);
    expect(data).toMatchObject([{ id: gone, name: 'Gone', version: 2, deletedAt: timestamp }]);
    const others = await list();
    expect(others.data.map(({ id }) => id)).toEqual([live]);
    expect(others.data[0]).not.toHaveProperty('deletedAt');
    expect((await list('?deleted=false')).data).toEqual(others.data);
    await admin.send('POST', `/api/leads/${gone}/restore`);
    expect((await list('?deleted=true')).data).toEqual([]);
  });

  it('has the filters, orders and pages of the list', async () => {
    for (const [name, source] of [
      ['Åke', 'web'],
      ['Bo', 'fair'],
      ['Ada', 'Web'],
    ]) {
      const id = await createLead(admin, { name, source });
      if (name === 'Bo') await moveLead(admin, id, 'contacted');
      await remove(id);
    }
    expect(await names('?deleted=true&sort=name')).toEqual(['Ada', 'Åke', 'Bo']);
    expect(await names('?deleted=true&sort=-name&source=WEB')).toEqual(['Åke', 'Ada']);
    expect(await names('?deleted=true&status=contacted')).toEqual(['Bo']);
    expect(await names('?deleted=true&search=ak')).toEqual(['Åke']);
    expect(await names('?deleted=true&createdTo=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await names('?deleted=true')).toEqual(['Ada', 'Bo', 'Åke']);
    const page = await list('?deleted=true&page=2&pageSize=2');
    expect([page.data.length, page.meta.total]).toEqual([1, 3]);
    expect((await list('?deleted=true&page=9')).meta.total).toBe(3);
    expect(refusal(await admin.send('GET', '/api/leads?deleted=yes'))).toEqual(invalid('deleted'));
  });

  it('is read from its own index', async () => {
    const { organizationId } = admin;
    await sql.query(
      `INSERT INTO leads (organization_id, name, email, deleted_at)
       SELECT $1, 'Lead ' || n, 'lead' || n || '@example.com', CASE n % 2 WHEN 0 THEN now() END
       FROM generate_series(1, 20000) n`,
      [organizationId],
    );
    await sql.query('VACUUM ANALYZE leads');
    expect((await list('?deleted=true&search=lead')).meta.total).toBe(10_000);
    const plan = await sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT count(*) FROM (
         SELECT FROM leads WHERE organization_id = '${organizationId}' AND deleted_at IS NOT NULL
           AND strpos(folded_name, 'x') > 0 ORDER BY created_at, id OFFSET 0) AS found`,
    );
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('leads_deleted');
  });
});

describe('POST /api/leads/{id}/erase', () => {
  it('leaves nothing of a lead but its id in the trail [S-193]', async () => {
    const email = `${randomUUID()}@example.com`;
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'Ada Erased', email, notes: `Calls from ${email}` };
    const created = await admin.send('POST', '/api/leads', { body, headers });
    const { id } = created.body.data;
    await moveLead(admin, id, 'contacted');
    await remove(id);
    await admin.send('POST', `/api/leads/${id}/restore`, { headers: { 'idempotency-key': randomUUID() } });
    expect(Object.keys(await mentions(email))).toEqual(['idempotency_keys', 'leads']);

    const answer = await erase(id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await mentions(email)).toEqual({});
    expect(await mentions('Ada Erased')).toEqual({});
    expect(Object.keys(await mentions(id))).toEqual(['audit_events', 'idempotency_keys']);
    const trail = await admin.send('GET', `/api/leads/audit?action=lead.erased&targetId=${id}`);
    expect(trail.body.data).toMatchObject([{ details: {} }]);
    // The creation that is sent once more is not done once more.
    const again = await admin.send('POST', '/api/leads', { body, headers });
    expect([again.status, again.body.data.id]).toEqual([201, id]);
    expect((await list()).meta.total).toBe(0);
  });

  it('takes a lead that was deleted before, and is 404 from then on, with everything else', async () => {
    const id = await createLead(admin);
    await remove(id);
    expect((await erase(id)).status).toBe(204);
    expect((await list('?deleted=true')).meta.total).toBe(0);
    for (const answer of [
      await erase(id),
      await admin.send('POST', `/api/leads/${id}/restore`),
      await admin.send('GET', `/api/leads/${id}`),
      await admin.send('GET', `/api/leads/${id}/history`),
      await remove(id),
    ]) {
      expect(refusal(answer)).toEqual(notFound);
    }
  });

  it('is for admins, within their organization, and on the version that they saw [S-193]', async () => {
    const id = await createLead(admin);
    const member = await service.member({ organizationId: admin.organizationId });
    expect((await erase(id, {}, member)).status).toBe(403);
    const stranger = await service.member({ role: 'owner' });
    expect(refusal(await erase(id, {}, stranger))).toEqual(notFound);
    expect((await erase(id, { 'if-match': '"2"' })).status).toBe(412);
    expect((await erase(id, { 'if-match': '"1"' })).status).toBe(204);
  });

  it('is no longer named as a duplicate, and no longer counted', async () => {
    const email = `${randomUUID()}@example.com`;
    const [first, second] = [await createLead(admin, { email }), await createLead(admin, { email })];
    await erase(first);
    const third = await admin.send('POST', '/api/leads', { body: { name: 'Bo', email } });
    expect(third.body.meta.duplicateOf).toBe(second);
    await erase(second);
    const fourth = await admin.send('POST', '/api/leads', { body: { name: 'Cy', email } });
    expect(fourth.body.meta.duplicateOf).toBe(third.body.data.id);
    expect((await list()).meta.total).toBe(2);
  });

  it('of one that is restored or changed at the same moment happens before or after it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await createLead(admin);
      await remove(id);
      const [erased, restored, changed] = await Promise.all([
        erase(id),
        admin.send('POST', `/api/leads/${id}/restore`),
        admin.send('PUT', `/api/leads/${id}`, { body: { name: 'Bo' } }),
      ]);
      expect(erased.status).toBe(204);
      expect([200, 404]).toContain(restored.status);
      expect([200, 404]).toContain(changed.status);
      expect(Object.keys(await mentions(id))).toEqual(['audit_events']);
    }
    expect((await list()).meta.total).toBe(0);
  });
});

describe('leads that were deleted long ago', () => {
  /** How many days ago leads were deleted, by organization; null of live ones. */
  async function fill(
    organizationId: string,
    deleted: readonly (readonly [days: number | null, count: number])[],
  ) {
    for (const [days, count] of deleted) {
      await sql.query(
        `WITH lead AS (
           INSERT INTO leads (organization_id, name, email, deleted_at)
           SELECT $1, 'Lead', 'lead@example.com', now() - make_interval(days => $2)
           FROM generate_series(1, $3::int) RETURNING id)
         INSERT INTO lead_status_changes (organization_id, lead_id, to_status) SELECT $1, id, 'new' FROM lead`,
        [organizationId, days, count],
      );
    }
    await sql.query(
      `INSERT INTO due_work (organization_id, kind, id) VALUES ($1, 'deleted-leads', $1) ON CONFLICT DO NOTHING`,
      [organizationId],
    );
  }
  /** Another instance on the same data looks as it starts. */
  async function sweep(days: string): Promise<void> {
    const database = new URL(service.testDatabase.runtimeUrl);
    const other = await startService({
      env: { DELETED_LEADS_RETENTION_DAYS: days, DATABASE_URL: database.href },
    });
    onTestFinished(() => other.close());
    await other.app.ready();
    const isDue = async () => {
      // What an instance has in hand is due within minutes, and what is done in a day.
      const due =
        "SELECT FROM due_work WHERE kind = 'deleted-leads' AND next_attempt_at < now() + INTERVAL '12 hours'";
      return (await sql.query(due)).rowCount !== 0;
    };
    if (days !== '0') await expect.poll(isDue).toBe(false);
    await other.app.close();
  }
  const left = async (organizationId: string) => {
    const { rows } = await sql.query<{ days: number | null; leads: number }>(
      `SELECT extract(day FROM now() - deleted_at)::int AS days, count(*)::int AS leads FROM leads
       WHERE organization_id = $1 GROUP BY 1 ORDER BY 1 NULLS LAST`,
      [organizationId],
    );
    return rows.map(({ days, leads }) => [days, leads]);
  };

  it('are permanently deleted, in batches, with their history, and no others [S-194]', async () => {
    const other = await service.member();
    await fill(admin.organizationId, [
      [91, 2_300],
      [89, 2],
      [null, 3],
    ]);
    await fill(other.organizationId, [[400, 1]]);
    await sql.query(`
      CREATE FUNCTION at_most_five_hundred() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM gone) > 500 THEN RAISE 'a batch is too large'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER batches AFTER DELETE ON leads REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION at_most_five_hundred()`);
    await sweep('90');
    expect(await left(admin.organizationId)).toEqual([
      [89, 2],
      [null, 3],
    ]);
    expect(await left(other.organizationId)).toEqual([]);
    const { rows } = await sql.query('SELECT FROM lead_status_changes WHERE organization_id = $1', [
      admin.organizationId,
    ]);
    expect(rows).toHaveLength(5);
    const trail = await admin.send('GET', '/api/leads/audit?action=lead.purged');
    const purged = trail.body.data as unknown as { details: { leads: number }; actor: object }[];
    expect(purged[0]?.actor).toEqual({ kind: 'job', userId: null, name: 'deleted-leads' });
    expect(purged.map(({ details }) => details.leads)).toEqual([300, 500, 500, 500, 500]);
    expect((await list()).meta.total).toBe(3);
  });

  it('are kept for ever where that is set', async () => {
    await fill(admin.organizationId, [[4_000, 1]]);
    await sweep('0');
    expect(await left(admin.organizationId)).toEqual([[4_000, 1]]);
  });

  it('are looked for once a day from the first deletion on', async () => {
    const due = async () => {
      const { rows } = await sql.query<{ hours: number }>(
        `SELECT round(extract(epoch FROM next_attempt_at - now()) / 3600)::int AS hours FROM due_work
         WHERE organization_id = $1 AND kind = 'deleted-leads'`,
        [admin.organizationId],
      );
      return rows.map(({ hours }) => hours);
    };
    const id = await createLead(admin);
    expect(await due()).toEqual([]);
    await remove(id);
    await remove(await createLead(admin));
    expect(await due()).toEqual([24]);
  });
});

it('the service deletes no lead that is not marked as deleted, nor its history [S-194]', async () => {
  const live = await createLead(admin);
  const { organizationId } = admin;
  for (const table of ['lead_status_changes', 'leads']) {
    await service.database.pool.within({ organizationId }, async () => {
      await service.database.pool.query(`DELETE FROM ${table}`);
    });
  }
  expect((await admin.send('GET', `/api/leads/${live}/history`)).body.meta.total).toBe(1);
});
