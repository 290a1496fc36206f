import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLead,
  invalid,
  moveLead,
  notFound,
  refusal,
  startService,
  type Caller,
  type TestService,
  timestamp,
} from './support/service.ts';

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService();
  member = await service.member();
});
afterAll(() => service.close());

const get = (id: string, caller = member) => caller.send('GET', `/api/leads/${id}`);
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  member.send('PUT', `/api/leads/${id}`, { body, headers });
const remove = (id: string, headers: Record<string, string> = {}) =>
  member.send('DELETE', `/api/leads/${id}`, { headers });

describe('GET /api/leads/{id}', () => {
  it('shows the whole lead, its version and where it may move', async () => {
    const lead = { name: 'Ada', email: 'ada@example.com', phone: '123', source: 'web', notes: 'n' };
    const id = await createLead(member, lead);
    const answer = await get(id);
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe('"1"');
    expect(answer.body).toEqual({
      data: {
        id,
        ...lead,
        status: 'new',
        createdAt: timestamp,
        updatedAt: timestamp,
        allowedTransitions: ['contacted'],
      },
      error: null,
      meta: { timestamp, requestId: answer.headers['x-request-id'] },
    });
  });
});

describe('PUT /api/leads/{id}', () => {
  it('answers what changed, keeps the rest, and moves version and time on', async () => {
    const id = await createLead(member, { phone: '123', source: 'web', notes: 'n' });
    const answer = await put(id, { name: ' Grace ', email: 'grace@example.com' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ id, name: 'Grace', email: 'grace@example.com', status: 'new' });
    expect(answer.headers['etag']).toBe('"2"');
    const { data } = (await get(id)).body;
    expect(data).toMatchObject({ phone: '123', source: 'web', notes: 'n', name: 'Grace' });
    expect(Date.parse(data.updatedAt)).toBeGreaterThan(Date.parse(data.createdAt));
  });

  it('is the same by PATCH', async () => {
    const id = await createLead(member, { phone: '123' });
    const body = { name: 'Grace', status: 'contacted' };
    const answer = await member.send('PATCH', `/api/leads/${id}`, { body, headers: { 'if-match': '"1"' } });
    expect([answer.status, answer.headers['etag']]).toEqual([200, '"2"']);
    expect((await get(id)).body.data).toMatchObject({ ...body, phone: '123' });
  });

  it('changes phone and source as well; null empties, absent stays', async () => {
    const id = await createLead(member, { phone: '1', source: 's', notes: 'n' });
    await put(id, { phone: '2', source: null });
    expect((await get(id)).body.data).toMatchObject({ phone: '2', source: null, notes: 'n' });
    await put(id, { notes: null });
    expect((await get(id)).body.data).toMatchObject({ phone: '2', source: null, notes: null });
  });

  it('is found by its new name immediately, and no longer by the old one', async () => {
    const caller = await service.member();
    const id = await createLead(caller, { name: 'Before' });
    await caller.send('PUT', `/api/leads/${id}`, { body: { name: 'Äfter' } });
    const total = async (search: string) =>
      (await caller.send('GET', `/api/leads?search=${search}`)).body.meta.total;
    expect([await total('before'), await total('after')]).toEqual([0, 1]);
  });

  it.each([
    ['nothing', {}, ['body']],
    ['a null name', { name: null }, ['name']],
    ['a null e-mail', { email: null }, ['email']],
    ['a null status', { status: null }, ['status']],
    ['a blank name', { name: '  ' }, ['name']],
    ['a long name', { name: 'a'.repeat(101) }, ['name']],
    ['a bad e-mail', { email: 'nobody' }, ['email']],
    ['an unknown status', { status: 'open' }, ['status']],
    ['a status that is a list', { status: ['won'] }, ['status']],
    ['long notes', { notes: 'n'.repeat(2001) }, ['notes']],
    ['its id', { id: randomUUID() }, ['id']],
    ['its creation', { createdAt: '2026-01-01T00:00:00Z' }, ['createdAt']],
    ['an organization', { organizationId: randomUUID() }, ['organizationId']],
  ])('refuses %s, naming the field, and changes nothing', async (_, body, fields) => {
    const id = await createLead(member);
    expect(refusal(await put(id, body))).toEqual(invalid(...fields));
    expect((await get(id)).headers['etag']).toBe('"1"');
  });

  it('moves along the table, and refuses every other move with what is allowed', async () => {
    const paths: Record<string, string[]> = {
      new: [],
      contacted: ['contacted'],
      qualified: ['contacted', 'qualified'],
      lost: ['contacted', 'lost'],
      won: ['contacted', 'qualified', 'won'],
    };
    const allowed: Record<string, string[]> = {
      new: ['contacted'],
      contacted: ['qualified', 'lost'],
      qualified: ['won'],
    };
    for (const [from, path] of Object.entries(paths)) {
      for (const to of Object.keys(paths)) {
        const id = await createLead(member);
        await moveLead(member, id, ...path);
        const answer = await put(id, { status: to, name: 'Moved' });
        const moves = from === to || (allowed[from] ?? []).includes(to);
        expect([from, to, answer.status]).toEqual([from, to, moves ? 200 : 409]);
        const { data } = (await get(id)).body;
        expect([data.status, data.name]).toEqual(moves ? [to, 'Moved'] : [from, 'Ada']);
        if (moves) continue;
        expect(answer.body.error).toMatchObject({
          code: 'INVALID_TRANSITION',
          details: [
            { field: 'status', rule: 'transition', params: { from, to, allowed: allowed[from] ?? [] } },
          ],
        });
      }
    }
  });

  it('lets one of two concurrent moves win: a lead never forks', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await createLead(member);
      await moveLead(member, id, 'contacted');
      const answers = await Promise.all(['qualified', 'lost'].map((status) => put(id, { status })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect((await get(id)).headers['etag']).toBe('"3"');
    }
  });

  it('never moves the time of change back, however long a transaction waited for its turn', async () => {
    const id = await createLead(member);
    const early = new pg.Client({ connectionString: service.testDatabase.adminUrl });
    await early.connect();
    try {
      // Began before the other change and writes after it.
      await early.query('BEGIN');
      await put(id, { notes: 'first' });
      const before = (await get(id)).body.data.updatedAt;
      await early.query(`UPDATE leads SET notes = 'second' WHERE id = $1`, [id]);
      await early.query('COMMIT');
      const { notes, updatedAt } = (await get(id)).body.data;
      expect(notes).toBe('second');
      expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(before));
    } finally {
      await early.end();
    }
  });

  it('loses none of 20 concurrent changes to different fields', async () => {
    const id = await createLead(member);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        put(id, n % 2 === 0 ? { name: `Name ${n}` } : { notes: `Notes ${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(20);
    expect((await get(id)).headers['etag']).toBe('"21"');
  });
});

describe('If-Match', () => {
  it('lets a change through on the version that was read, and refuses it on any other with 412', async () => {
    const id = await createLead(member);
    const tag = String((await get(id)).headers['etag']);
    expect((await put(id, { name: 'First' }, { 'if-match': tag })).status).toBe(200);
    expect(refusal(await put(id, { name: 'Second' }, { 'if-match': tag }))).toMatchObject({
      status: 412,
      code: 'PRECONDITION_FAILED',
    });
    expect(refusal(await remove(id, { 'if-match': tag }))).toMatchObject({ status: 412 });
    expect((await get(id)).body.data.name).toBe('First');
    expect((await remove(id, { 'if-match': '"2"' })).status).toBe(204);
  });

  it('that is malformed is 400 with the field, on a change and on a removal', async () => {
    const id = await createLead(member);
    for (const tag of ['1', '2', '"1', '']) {
      expect(refusal(await put(id, { name: 'x' }, { 'if-match': tag }))).toEqual(invalid('if-match'));
      expect(refusal(await remove(id, { 'if-match': tag }))).toEqual(invalid('if-match'));
    }
    expect((await get(id)).headers['etag']).toBe('"1"');
  });

  it('lets one of ten concurrent changes win', async () => {
    const id = await createLead(member);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(id, { name: `Name ${n}` }, { 'if-match': '"1"' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(412)]);
  });
});

describe('DELETE /api/leads/{id}', () => {
  it('answers 204 without a body; the lead is gone from everywhere', async () => {
    const caller = await service.member();
    const id = await createLead(caller);
    const answer = await caller.send('DELETE', `/api/leads/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect(refusal(await caller.send(method, `/api/leads/${id}`, { body }))).toEqual(notFound);
    }
    for (const query of ['', '?search=ada', '?status=new', '?status=new&search=ada']) {
      expect((await caller.send('GET', `/api/leads${query}`)).body).toMatchObject({
        data: [],
        meta: { total: 0 },
      });
    }
  });

  it('keeps the row', async () => {
    const id = await createLead(member);
    await remove(id);
    const { rows } = await service.database.pool.within(
      { organizationId: member.organizationId },
      async () => {
        const sql =
          'SELECT deleted_at IS NOT NULL AS deleted FROM leads WHERE organization_id = $1 AND id = $2';
        return (await service.database.pool.query(sql, [member.organizationId, id])) as { rows: unknown[] };
      },
    );
    expect(rows).toEqual([{ deleted: true }]);
  });

  it('succeeds once of ten concurrent times', async () => {
    const id = await createLead(member);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array<number>(9).fill(404)]);
  });
});

describe('an id', () => {
  it.each([
    '1',
    'null',
    'undefined',
    '00000000-0000-0000-0000-00000000000',
    `${randomUUID()}0`,
    `{${randomUUID()}}`,
    `urn:uuid:${randomUUID()}`,
    '%00',
    'a%2Fb',
    'x'.repeat(5000),
  ])('that is no UUID is 400 with the field: %s', async (id) => {
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect(refusal(await member.send(method, `/api/leads/${id}`, { body }))).toEqual(invalid('id'));
    }
  });

  it('that does not exist is 404', async () => {
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect(refusal(await member.send(method, `/api/leads/${randomUUID()}`, { body }))).toEqual(notFound);
    }
  });

  it('is the same in upper case', async () => {
    const id = await createLead(member);
    expect((await get(id.toUpperCase())).body.data.id).toBe(id);
  });
});
