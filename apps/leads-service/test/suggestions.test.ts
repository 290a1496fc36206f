import { randomUUID } from 'node:crypto';
import { readsOf } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered, createLead, startService, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService({ env: { DATABASE_POOL_SIZE: '1' } });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

it('leads are suggested by what their names begin with, in the order of their names', async () => {
  const caller = await service.member();
  const names = ['Åsa Öberg', 'ASA Berg', 'Asbjørn', 'Berg Åsa', '50% off', '50_off', 'Þórir', 'As', '李'];
  for (const name of names) await createLead(caller, { name });
  await createLead(await service.member(), { name: 'Asa of others' });
  const gone = await createLead(caller, { name: 'Asa who left' });
  await caller.send('DELETE', `/api/leads/${gone}`);

  const suggested = async (prefix: string, limit = '') => {
    const asked = caller.send('GET', `/api/leads/suggestions?prefix=${encodeURIComponent(prefix)}${limit}`);
    return (await answered<{ name: string }[]>(asked)).map(({ name }) => name);
  };
  expect(await suggested('as')).toEqual(['As', 'ASA Berg', 'Åsa Öberg', 'Asbjørn']);
  expect(await suggested('ÅSA')).toEqual(['ASA Berg', 'Åsa Öberg']);
  expect(await suggested('as', '&limit=2')).toEqual(['As', 'ASA Berg']);
  expect(await suggested('50%')).toEqual(['50% off']);
  expect(await suggested('50_')).toEqual(['50_off']);
  expect(await suggested('tho')).toEqual(['Þórir']);
  expect(await suggested('李')).toEqual(['李']);
  expect(await suggested('berg')).toEqual(['Berg Åsa']);
  expect(await suggested('%')).toEqual([]);
});

it.each(['', 'prefix=', 'prefix=%20', `prefix=${'a'.repeat(101)}`, 'prefix=a&limit=51', 'prefix=%00'])(
  'suggestions refuse ?%s',
  async (query) => {
    expect((await (await service.member()).send('GET', `/api/leads/suggestions?${query}`)).status).toBe(400);
  },
);

it('suggestions read as many entries of an index as they show, however many leads there are [S-146]', async () => {
  const organizationId = randomUUID();
  await admin.query(
    `INSERT INTO leads (organization_id, name, email) SELECT $1, 'Lead ' || n, 'lead@example.com' FROM generate_series(1, 20000) n`,
    [organizationId],
  );
  await admin.query('VACUUM (ANALYZE) leads');
  const member = await service.member({ organizationId });
  const { pool } = service.database;
  const reads = await readsOf({ admin, pool, tables: ['leads'] }, async () => {
    const { body } = await member.send('GET', '/api/leads/suggestions?prefix=LEAD');
    expect(body.data).toHaveLength(10);
  });
  expect([...reads].map(([name, { entries }]) => [name, entries])).toEqual([
    ['leads_by_name', 10],
    ['leads_pkey', 10],
  ]);
});
