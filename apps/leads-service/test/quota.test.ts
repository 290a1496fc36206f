import { randomUUID } from 'node:crypto';
import { ownerEvent } from '@tenantry/service-tests';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answered, createLead, startService, type Caller, type TestService } from './support/service.ts';

/** Rows of a lead and its first status. */
const rowsOfLead = 2;
const quota = { QUOTA_ROWS_UNCONFIRMED: '20', QUOTA_ROWS: '300' };

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: quota });
  await service.app.ready();
});
afterAll(() => service.close());

let organizationId: string;
let owner: Caller;
beforeEach(async () => {
  organizationId = randomUUID();
  owner = await service.member({ organizationId, role: 'owner' });
});

interface Usage {
  readonly rows: { readonly used: number; readonly quota: number };
  readonly bytes: { readonly used: number; readonly quota: number };
  readonly ownerConfirmed: boolean;
}

const usage = () => answered<Usage>(owner.send('GET', '/api/leads/usage'));

const lead = { name: 'Ada', email: 'ada@example.com' };
const create = (caller = owner, headers = {}) => caller.send('POST', '/api/leads', { body: lead, headers });

/** As docs/operations.md says. */
const multiply = (factor: number) =>
  service.testDatabase.query(
    `INSERT INTO storage_quotas (organization_id, factor) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET factor = excluded.factor`,
    [organizationId, factor],
  );

async function fill(): Promise<string[]> {
  const ids: string[] = [];
  for (let rows = 0; rows < 20; rows += rowsOfLead) ids.push(await createLead(owner));
  return ids;
}

const importing = async (csv: string, mode: string) =>
  service.app.inject({
    method: 'POST',
    url: `/api/leads/import?mode=${mode}`,
    headers: {
      authorization: `Bearer ${await service.issuer.token({ organizationId, role: 'owner' })}`,
      'content-type': 'text/csv',
    },
    payload: csv,
  });

const fileOf = (rows: number): string => `name,email\n${'Ada,ada@example.com\n'.repeat(rows)}`;

describe('an organization that has reached its quota', () => {
  it('is refused what adds, and is told what to do', async () => {
    await fill();
    const refused = await create();
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'QUOTA_EXCEEDED', reason: 'OWNER_UNCONFIRMED' } },
    });
    expect(refused.text).toContain('Confirm it, or permanently delete');
    expect((await usage()).rows).toEqual({ used: 20, quota: 20 });
  });

  it('can delete and erase, and then add again', async () => {
    const [id = '', other = ''] = await fill();
    expect(await owner.send('DELETE', `/api/leads/${id}`)).toMatchObject({ status: 204 });
    // It can be restored, so it still takes its room.
    expect(await create()).toMatchObject({ status: 409 });
    for (const gone of [id, other]) {
      expect(await owner.send('POST', `/api/leads/${gone}/erase`)).toMatchObject({ status: 204 });
    }
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await create()).status);
    expect(statuses).toEqual([201, 201, 409]);
  });

  it('is never refused a deletion, however full it is [S-203]', async () => {
    const ids = await fill();
    await service.testDatabase.query(
      'INSERT INTO storage_use (organization_id, rows, bytes) VALUES ($1, 1000000, 1000000000)',
      [organizationId],
    );
    for (const id of ids.slice(0, 3)) {
      expect(await owner.send('DELETE', `/api/leads/${id}`)).toMatchObject({ status: 204 });
      expect(await owner.send('POST', `/api/leads/${id}/erase`)).toMatchObject({ status: 204 });
    }
    const [, , , id] = ids;
    const changed = await owner.send('PATCH', `/api/leads/${id}`, { body: { name: 'Bea' } });
    expect(changed).toMatchObject({ status: 409, body: { error: { code: 'QUOTA_EXCEEDED' } } });
  });

  it('has a tenth more for changes, whose history counts', async () => {
    const ids = await fill();
    const statuses = [];
    for (const id of ids.slice(0, 3)) {
      const moved = await owner.send('PATCH', `/api/leads/${id}`, { body: { status: 'contacted' } });
      statuses.push(moved.status);
    }
    expect(statuses).toEqual([200, 200, 409]);
  });

  it('stores no response to a request that it refuses', async () => {
    await fill();
    const key = { 'idempotency-key': 'again' };
    expect(await create(owner, key)).toMatchObject({ status: 409 });
    service.feed.tell(ownerEvent(organizationId, randomUUID()));
    await expect.poll(async () => (await usage()).ownerConfirmed).toBe(true);
    expect(await create(owner, key)).toMatchObject({ status: 201 });
  });

  it('does not concern another', async () => {
    await fill();
    expect(await create(await service.member({ role: 'owner' }))).toMatchObject({ status: 201 });
  });
});

describe('the quota of an organization [S-203]', () => {
  it('holds for writes at the same moment, to the row', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect((await usage()).rows.used).toBe(20);
  });

  it('is large once an owner has confirmed an address, and as many times larger as an operator wants', async () => {
    expect(await usage()).toMatchObject({ rows: { used: 0, quota: 20 }, ownerConfirmed: false });
    service.feed.tell({ ...ownerEvent(organizationId, randomUUID()), emailVerified: false });
    service.feed.tell({ ...ownerEvent(organizationId, randomUUID()), role: 'admin' });
    expect((await usage()).rows.quota).toBe(20);
    service.feed.tell(ownerEvent(organizationId, randomUUID()));
    await expect.poll(async () => (await usage()).rows.quota).toBe(300);
    await multiply(4);
    expect((await usage()).rows.quota).toBe(1_200);
  });

  it('counts bytes too', async () => {
    const other = await startService({ env: { QUOTA_BYTES_UNCONFIRMED: '5000' } });
    try {
      const caller = await other.member({ role: 'owner' });
      const body = { ...lead, notes: 'n'.repeat(2_000) };
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push((await caller.send('POST', '/api/leads', { body })).status);
      expect(statuses).toEqual([201, 201, 409, 409]);
    } finally {
      await other.close();
    }
  });
});

describe('an import beyond the quota', () => {
  it('imports nothing in the mode "all" [S-203]', async () => {
    const answer = await importing(fileOf(400), 'all');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } });
    // The import itself.
    expect((await usage()).rows.used).toBe(1);
  });

  it('imports in the mode "rows" what fits, batch by batch, and reports the rest', async () => {
    service.feed.tell(ownerEvent(organizationId, randomUUID()));
    await expect.poll(async () => (await usage()).rows.quota).toBe(300);
    await multiply(2);
    const answer = await importing(fileOf(600), 'rows');
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json<{ data: { errors: { line: number; details: unknown[] }[] } }>();
    expect(data).toMatchObject({ rows: 600, imported: 250, rejected: 350 });
    expect(data.errors[0]).toMatchObject({ line: 252, details: [{ rule: 'quota' }] });
    // Leads, their first moves, the import, and what became of the rows of each of its batches.
    expect((await usage()).rows.used).toBe(504);
  });
});
