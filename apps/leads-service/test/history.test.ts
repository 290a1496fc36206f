import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
let member: Caller;
beforeAll(async () => {
  service = await startService();
  member = await service.member({ sub: memberId, name: 'Ingrid' });
});
afterAll(() => service.close());

const memberId = randomUUID();
const colleagueId = randomUUID();

interface Move {
  readonly from: string | null;
  readonly to: string;
  readonly actor: object | null;
  readonly at: string;
}

async function history(id: string, query = ''): Promise<{ data: Move[]; meta: object }> {
  const answer = await member.send('GET', `/api/leads/${id}/history${query}`);
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as { data: Move[]; meta: object };
}

describe('GET /api/leads/{id}/history', () => {
  it('shows who moved the lead, when, from where and to where, newest first, from its creation on', async () => {
    const id = await createLead(member);
    const { organizationId } = member;
    const colleague = await service.member({ organizationId, sub: colleagueId, name: 'Bo' });
    await moveLead(member, id, 'contacted');
    await moveLead(colleague, id, 'qualified', 'won');
    const { data, meta } = await history(id);
    const mine = { kind: 'user', userId: memberId, name: 'Ingrid' };
    const theirs = { kind: 'user', userId: colleagueId, name: 'Bo' };
    expect(data).toEqual([
      { from: 'qualified', to: 'won', actor: theirs, quote: null, at: timestamp },
      { from: 'contacted', to: 'qualified', actor: theirs, quote: null, at: timestamp },
      { from: 'new', to: 'contacted', actor: mine, quote: null, at: timestamp },
      { from: null, to: 'new', actor: mine, quote: null, at: timestamp },
    ]);
    expect(data.map(({ at }) => at)).toEqual(
      data
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(meta).toEqual({ total: 4, page: 1, pageSize: 10 });
  });

  it('shows a service account as such, also when the trail has nothing of it any more [S-98]', async () => {
    const userId = randomUUID();
    const { organizationId } = member;
    const key = await service.serviceAccount({ organizationId, sub: userId, name: 'Import' });
    const id = await createLead(key);
    await moveLead(key, id, 'contacted');
    const actors = async () => (await history(id)).data.map(({ actor }) => actor);
    const actor = { kind: 'service-account', userId, name: 'Import' };
    expect(await actors()).toEqual([actor, actor]);
    await service.testDatabase.query('DELETE FROM audit_events WHERE actor_user_id = $1', [userId]);
    const nameless = { ...actor, name: null };
    expect(await actors()).toEqual([nameless, nameless]);
  });

  it('comes in pages', async () => {
    const id = await createLead(member);
    await moveLead(member, id, 'contacted', 'lost');
    expect(await history(id, '?page=2&pageSize=2')).toMatchObject({
      data: [{ from: null }],
      meta: { total: 3 },
    });
    expect(await history(id, '?page=3&pageSize=2')).toMatchObject({ data: [], meta: { total: 3, page: 3 } });
    expect(refusal(await member.send('GET', `/api/leads/${id}/history?pageSize=101`))).toEqual(
      invalid('pageSize'),
    );
  });

  it('knows a refused move and an unchanged status as no move', async () => {
    const id = await createLead(member);
    for (const body of [{ status: 'won' }, { status: 'new' }, { name: 'Grace' }]) {
      await member.send('PUT', `/api/leads/${id}`, { body });
    }
    expect((await history(id)).data).toHaveLength(1);
  });

  it('of two concurrent moves shows the one that succeeded', async () => {
    const id = await createLead(member);
    await moveLead(member, id, 'contacted');
    await Promise.all(
      ['qualified', 'lost'].map((status) => member.send('PUT', `/api/leads/${id}`, { body: { status } })),
    );
    const { data } = (await member.send('GET', `/api/leads/${id}`)).body;
    expect((await history(id)).data.map(({ to }) => to)).toEqual([data.status, 'contacted', 'new']);
  });

  it('of a deleted lead, of another organization and of no lead is 404', async () => {
    const id = await createLead(member);
    await member.send('DELETE', `/api/leads/${id}`);
    const foreign = await createLead(await service.member());
    for (const unknown of [id, foreign, randomUUID()]) {
      expect(refusal(await member.send('GET', `/api/leads/${unknown}/history`))).toEqual(notFound);
    }
  });

  it('cannot be changed by the service [S-180]', async () => {
    await createLead(member);
    const { pool } = service.database;
    const tried = pool.within({ organizationId: member.organizationId }, async () => {
      await pool.query(`UPDATE lead_status_changes SET to_status = 'won'`);
    });
    await expect(tried).rejects.toMatchObject({ code: '42501' });
  });
});
