import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { afterAll, expect, test } from 'vitest';
import { createWings } from '../src/wings.ts';
import { Maintenance } from '../src/ground/background/maintenance.ts';
import type { Sweep } from '../src/ground/background/sweep.repository.ts';
import { createGround } from '../src/ground/index.ts';
import { openDatabase, startService } from './support/service.ts';

const { config, sql } = await startService();
const log = testLog();
const logger = createLogger({ name: 'test', level: 'warn', destination: log });
const database = openDatabase(config, logger);
afterAll(() => database.close());
const wings = Object.values(createWings(createGround({ config, logger, database, now: () => new Date() })));
const sweeps = Object.assign(
  {},
  ...wings.map((wing) => ('background' in wing ? wing.background.sweeps : {})),
) as Record<string, Sweep>;

test('what is over goes, and what is not stays', async () => {
  const user = '00000000-0000-4000-8000-00000000000';
  await sql(`INSERT INTO revocations (kind, sid, sub, until)
    SELECT 'session', gen_random_uuid(), gen_random_uuid(), now() + n * INTERVAL '1 hour' FROM unnest(ARRAY[-1, 1]) AS n`);
  await sql(`INSERT INTO mail_outbox (id, recipient, template, payload, secret_id, sent_at, created_at)
    SELECT gen_random_uuid(), 'a@b.c', template, payload, 's', sent, now() - age * INTERVAL '1 day'
    FROM (VALUES ('old', NULL, now(), 8), ('recent', NULL, now(), 1), ('waiting', '\\x00'::bytea, NULL, 8)) AS m (template, payload, sent, age)`);
  await sql(`INSERT INTO internal_requests (key, digest, user_id, created_at)
    SELECT 'key ' || n, decode(repeat('00', 32), 'hex'), gen_random_uuid(), now() - n * INTERVAL '1 hour' FROM unnest(ARRAY[1, 25]) AS n`);
  await sql(
    `INSERT INTO events (type, subject, user_id, payload, created_at)
     SELECT type, 'user:' || who, ($1 || who)::uuid, '{}', now() - age * INTERVAL '1 day'
     FROM (VALUES ('user.created', 1, 30), ('user.updated', 1, 20), ('user.created', 2, 9), ('user.updated', 2, 1),
       ('user.erased', 3, 401), ('user.erased', 4, 1), ('member.removed', 6, 9), ('user.erased', 7, 9), ('user.created', 5, 300)) AS e (type, who, age)`,
    [user],
  );

  const maintenance = new Maintenance({
    database,
    sweeps,
    logger,
  });
  expect(await maintenance.run()).toBe(true);

  expect(await sql('SELECT count(*)::int AS rows FROM revocations')).toEqual([{ rows: 1 }]);
  expect((await sql('SELECT template FROM mail_outbox ORDER BY 1')).map(({ template }) => template)).toEqual([
    'recent',
    'waiting',
  ]);
  expect(await sql('SELECT key FROM internal_requests')).toEqual([{ key: 'key 1' }]);
  // Of every user that still is, the latest news is kept however old; what is over is told for a week, and that a user was
  // erased for as long as trails may name one.
  const kept = await sql('SELECT subject, type FROM events ORDER BY subject, id');
  expect(kept.map(({ subject, type }) => `${String(subject)} ${String(type)}`)).toEqual([
    'user:1 user.updated',
    'user:2 user.updated',
    'user:4 user.erased',
    'user:5 user.created',
    'user:7 user.erased',
  ]);
  expect(log.text()).toBe('');
});

test('one instance sweeps at a time, and a failing sweep does not affect the others', async () => {
  let running = 0;
  let most = 0;
  const sweptBy = [0, 0, 0, 0];
  const instances = sweptBy.map((_, instance) => {
    const some: Record<string, Sweep> = {
      broken: async () => {
        throw new Error('broken');
      },
      slow: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 25));
        running--;
        return ++sweptBy[instance]! < 4;
      },
    };
    return new Maintenance({ database, sweeps: some, logger });
  });
  const ran = await Promise.all(instances.map((instance) => instance.run()));
  expect(ran).toContain(true);
  // Who went through did all of it, and who met another left it at that.
  for (const [instance, wentThrough] of ran.entries()) expect(sweptBy[instance] === 4).toBe(wentThrough);
  expect(most).toBe(1);
  expect(log.text()).toContain('"sweep":"broken"');
});

test('a failing sweep releases lock and connection before the next one needs them', async () => {
  const broken: Sweep = async () => {
    throw new Error('broken');
  };
  const sweep = () => new Maintenance({ database, sweeps: { broken, alsoBroken: broken }, logger }).run();
  expect(await sweep()).toBe(true);
  const connections = database.pool.totalCount;
  expect(connections).toBeGreaterThan(0);
  expect(await sweep()).toBe(true);
  expect(database.pool.totalCount).toBe(connections);
});

test("an instance that starts during another's batch leaves the work to it", async () => {
  let swept = 0;
  const second = new Maintenance({ database, logger, sweeps: { other: async () => ++swept < 1 } });
  const met: boolean[] = [];
  const meetSecond: Sweep = async () => {
    met.push(await second.run());
    return false;
  };
  const first = new Maintenance({ database, logger, sweeps: { meetSecond } });
  expect(await first.run()).toBe(true);
  expect(met).toEqual([false]);
  expect(swept).toBe(0);
  expect(await second.run()).toBe(true);
  expect(swept).toBe(1);
});
