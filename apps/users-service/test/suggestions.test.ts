import { randomUUID } from 'node:crypto';
import {
  openTestFeed,
  readsOf,
  startTestService,
  type TestFeed,
  type TestService,
} from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { service } from '../src/service.ts';

let feed: TestFeed;
let running: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  feed = await openTestFeed();
  running = await startTestService(service, { env: { ...feed.env, DATABASE_POOL_SIZE: '1' } });
  await running.app.ready();
  admin = new pg.Pool({ connectionString: running.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await running.close();
  await feed.close();
});

const insert = (organizationId: string, names: readonly string[], disabled = false) =>
  admin.query(
    `INSERT INTO profiles (organization_id, user_id, email, name, first_name, last_name, created_at, disabled)
     SELECT $1, gen_random_uuid(), 'asa' || n || '@example.com', t, left(t, 50), '', now(), $3
     FROM unnest($2::text[]) WITH ORDINALITY AS names (t, n)`,
    [organizationId, names, disabled],
  );

it('users are suggested by what their names begin with, in the order of their names', async () => {
  const caller = await running.member();
  const { organizationId } = caller;
  await insert(organizationId, [
    'Åsa Öberg',
    'ASA Berg',
    'Asbjørn',
    'Berg Åsa',
    '50% off',
    '50_off',
    'Þórir',
    'As',
    '李',
  ]);
  await insert(organizationId, ['Asa Disabled'], true);
  await insert(randomUUID(), ['Asa of others']);

  const suggested = async (prefix: string, limit = '') => {
    const path = `/api/users/suggestions?prefix=${encodeURIComponent(prefix)}${limit}`;
    const { status, body } = await caller.send('GET', path);
    expect(status).toBe(200);
    return (body.data as { name: string }[]).map(({ name }) => name);
  };
  expect(await suggested('as')).toEqual(['As', 'ASA Berg', 'Asa Disabled', 'Åsa Öberg', 'Asbjørn']);
  expect(await suggested('ÅSA')).toEqual(['ASA Berg', 'Asa Disabled', 'Åsa Öberg']);
  expect(await suggested('as', '&limit=2')).toEqual(['As', 'ASA Berg']);
  expect(await suggested('50%')).toEqual(['50% off']);
  expect(await suggested('50_')).toEqual(['50_off']);
  expect(await suggested('tho')).toEqual(['Þórir']);
  expect(await suggested('李')).toEqual(['李']);
  expect(await suggested('berg')).toEqual(['Berg Åsa']);
  expect(await suggested('%')).toEqual([]);
});

it('somebody who has left is suggested no longer', async () => {
  const caller = await running.member();
  const { organizationId } = caller;
  const leaving = {
    ...{ organizationId, userId: randomUUID(), name: 'Ada Lovelace', familyName: null, role: 'member' },
    ...{ email: 'ada@example.com', createdAt: '2026-11-21T10:00:00.000Z' },
  };
  const suggested = async () => (await caller.send('GET', '/api/users/suggestions?prefix=ada')).body.data;
  feed.tell({ type: 'member.added', ...leaving });
  const ada = { id: leaving.userId, name: 'Ada Lovelace', email: 'ada@example.com' };
  await expect.poll(suggested).toEqual([ada]);
  feed.tell({ type: 'member.removed', organizationId, userId: leaving.userId });
  await expect.poll(suggested).toEqual([]);
});

it.each(['', 'prefix=', 'prefix=%20', `prefix=${'a'.repeat(101)}`, 'prefix=a&limit=51', 'prefix=%00'])(
  'suggestions refuse ?%s',
  async (query) => {
    const { status } = await (await running.member()).send('GET', `/api/users/suggestions?${query}`);
    expect(status).toBe(400);
  },
);

it('suggestions read as many entries of an index as they show, however many users there are [S-146]', async () => {
  const member = await running.member();
  await insert(
    member.organizationId,
    Array.from({ length: 20_000 }, (_, n) => `User ${n}`),
  );
  await admin.query('VACUUM (ANALYZE) profiles');
  const { pool } = running.database;
  const reads = await readsOf({ admin, pool, tables: ['profiles'] }, async () => {
    const { body } = await member.send('GET', '/api/users/suggestions?prefix=USER');
    expect(body.data).toHaveLength(10);
  });
  expect([...reads].map(([name, { entries }]) => [name, entries])).toEqual([
    ['profiles_by_name', 10],
    ['profiles_pkey', 10],
  ]);
});
