import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { patience, startPostgres, type Postgres } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { models } from '../src/database.ts';
import { createLead, refusal, startService, type Caller, type TestService } from './support/service.ts';

let directory: string;
let postgres: Postgres;
let service: TestService;
let member: Caller;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leads-faults-'));
  postgres = await startPostgres({ directory: join(directory, 'postgres') });
  service = await startService({ adminUrl: postgres.adminUrl });
  member = await service.member();
});
afterAll(async () => {
  await service.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const away = { status: 503, data: null, code: 'UPSTREAM_UNAVAILABLE', fields: [] };
const ready = async () => (await service.caller().send('GET', '/api/health/ready')).status;

describe('with PostgreSQL stopped and started again under the running service', () => {
  it('every route answers 503 in the envelope in time, readiness says so, and all recovers by itself [S-157]', async () => {
    const id = await createLead(member);
    const { port } = postgres;
    await postgres.stop();

    const answers = await Promise.all([
      member.send('GET', '/api/leads'),
      member.send('GET', `/api/leads/${id}`),
      member.send('POST', '/api/leads', { body: { name: 'Ada', email: 'ada@example.com' } }),
      member.send('PUT', `/api/leads/${id}`, { body: { name: 'Ada' } }),
      member.send('DELETE', `/api/leads/${id}`),
    ]);
    for (const answer of answers) {
      expect(refusal(answer)).toEqual(away);
      expect(answer.headers['retry-after']).toBe('1');
    }
    await expect.poll(ready).toBe(503);

    postgres = await startPostgres({ directory: join(directory, 'postgres'), port });
    await expect.poll(ready).toBe(200);
    expect((await member.send('GET', `/api/leads/${id}`)).body.data.name).toBe('Ada');
    expect((await member.send('PUT', `/api/leads/${id}`, { body: { name: 'Back' } })).status).toBe(200);
  });

  it('loses nothing that was acknowledged, and acknowledges nothing that was lost', async () => {
    const caller = await service.member();
    const { port } = postgres;
    const until = { done: false };
    const acknowledged: string[] = [];
    let refused = 0;
    const writers = Array.from({ length: 4 }, async (_, w) => {
      for (let n = 0; !until.done; n++) {
        const name = `Lead ${w}-${n}`;
        const answer = await caller.send('POST', '/api/leads', { body: { name, email: 'ada@example.com' } });
        if (answer.status === 201) acknowledged.push(answer.body.data.id);
        else {
          expect(refusal(answer)).toEqual(away);
          refused++;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    await postgres.stop();
    await expect.poll(() => refused).toBeGreaterThan(4);
    postgres = await startPostgres({ directory: join(directory, 'postgres'), port });
    const soFar = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(soFar + 20);
    until.done = true;
    await Promise.all(writers);

    const rows = await models(
      service.database.within({ organizationId: caller.organizationId }),
    ).lead.findMany({ select: { id: true } });
    const kept = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect((await caller.send('GET', '/api/leads')).body.meta.total).toBe(kept.size);
  });
});

describe('with every connection of the pool at work', () => {
  it.each(['connection', 'transaction'] as const)(
    'reads and writes are 503 in time, bound per %s',
    async (binding) => {
      const busy = await startService({
        env: { TENANT_BINDING: binding, DATABASE_POOL_SIZE: '1' },
        timeouts: { connectMs: patience(500) },
      });
      const caller = await busy.member();
      const id = await createLead(caller);
      const held = await busy.database.pool.connect();
      const answers = await Promise.all([
        caller.send('GET', `/api/leads/${id}`),
        caller.send('PUT', `/api/leads/${id}`, { body: { name: 'Ada' } }),
      ]);
      expect(answers.map(refusal)).toEqual([away, away]);
      held.release();
      expect((await caller.send('PUT', `/api/leads/${id}`, { body: { name: 'Ada' } })).status).toBe(200);
      await busy.close();
    },
  );

  it('a change that waits for a lead held elsewhere is 504 in time, and no outage', async () => {
    const brief = await startService({ timeouts: { statementMs: patience(500) } });
    const caller = await brief.member();
    const id = await createLead(caller);
    const holder = new pg.Client({ connectionString: brief.testDatabase.adminUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM leads WHERE id = $1 FOR UPDATE', [id]);
    const waiting = await caller.send('PUT', `/api/leads/${id}`, { body: { name: 'Waiting' } });
    await holder.end();
    expect(refusal(waiting)).toEqual({ ...away, status: 504, code: 'DEADLINE_EXCEEDED' });
    expect((await caller.send('PUT', `/api/leads/${id}`, { body: { name: 'Done' } })).status).toBe(200);
    await brief.close();
  });
});

it('a change that meets a deadlock is made all the same', async () => {
  const caller = await service.member();
  const id = await createLead(caller);
  const holder = new pg.Client({ connectionString: service.testDatabase.adminUrl });
  await holder.connect();
  // The other side waits longer before it looks for a deadlock, so the service's transaction is the one to give way.
  await holder.query("SET deadlock_timeout = '30s'");
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE lead_counts IN SHARE MODE');
  const change = caller.send('PUT', `/api/leads/${id}`, { body: { status: 'contacted' } });
  const waiting = "SELECT FROM pg_locks WHERE relation = 'lead_counts'::regclass AND NOT granted";
  await expect.poll(async () => (await holder.query(waiting)).rowCount).toBeGreaterThan(0);
  await holder.query('SELECT FROM leads WHERE id = $1 FOR UPDATE', [id]);
  await holder.query('COMMIT');
  await holder.end();
  expect((await change).status).toBe(200);
  expect((await caller.send('GET', `/api/leads/${id}`)).headers['etag']).toBe('"2"');
});
