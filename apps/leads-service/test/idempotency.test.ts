import { createHash, randomUUID } from 'node:crypto';
import { buildService, openDatabase } from '@tenantry/service';
import type { BusinessConfig } from '@tenantry/service/business';
import { createLogger } from '@tenantry/service/logging';
import type { peerSettings } from '@tenantry/service/peers';
import { readConfig } from '@tenantry/service/settings';
import { testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnSettings } from '../src/own-settings.ts';
import { service as definition } from '../src/service.ts';
import { refusal, startService, type Answer, type Caller, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
let member: Caller;
beforeAll(async () => {
  service = await startService();
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 2 });
  admin.on('error', () => undefined);
  member = await service.member();
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const ada = { name: 'Ada', email: 'ada@example.com' };
const post = (key: string, body: object = ada, caller = member) =>
  caller.send('POST', '/api/leads', { body, headers: { 'idempotency-key': key } });
const total = async (caller = member) => (await caller.send('GET', '/api/leads')).body.meta.total;
const kept = async (key: string) => {
  const digest = createHash('sha256').update(key).digest();
  const { rows } = await admin.query('SELECT body FROM idempotency_keys WHERE key = $1', [digest]);
  return rows.length;
};
const shown = ({ status, headers, text }: Answer) => {
  return {
    status,
    text,
    location: headers['location'],
    etag: headers['etag'],
    type: headers['content-type'],
  };
};

describe('POST /api/leads with an Idempotency-Key', () => {
  it('makes one lead of what is sent twice, and gives the same answer again', async () => {
    const caller = await service.member();
    const key = randomUUID();
    const first = await post(key, ada, caller);
    expect(shown(first)).toMatchObject({
      status: 201,
      location: `/api/leads/${first.body.data.id}`,
      etag: '"1"',
      type: 'application/json; charset=utf-8',
    });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const second = await post(key, ada, caller);
    expect(shown(second)).toEqual(shown(first));
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await total(caller)).toBe(1);
  });

  it('makes two without one, or with two', async () => {
    const caller = await service.member();
    for (let n = 0; n < 2; n++) await caller.send('POST', '/api/leads', { body: ada });
    for (let n = 0; n < 2; n++) await post(randomUUID(), ada, caller);
    expect(await total(caller)).toBe(4);
  });

  it('is the same request whatever the order of its fields, also of one that an earlier release has answered', async () => {
    const caller = await service.member();
    const key = randomUUID();
    const first = await post(key, ada, caller);
    const turned = Object.fromEntries(Object.entries(ada).toReversed()) as typeof ada;
    expect(JSON.stringify(turned)).not.toBe(JSON.stringify(ada));
    expect(shown(await post(key, turned, caller))).toEqual(shown(first));
    const asWritten = createHash('sha256')
      .update(JSON.stringify(['POST', '/api/leads', turned]))
      .digest('hex');
    await admin.query(`UPDATE idempotency_keys SET request = decode($1, 'hex') WHERE organization_id = $2`, [
      asWritten,
      caller.organizationId,
    ]);
    expect(shown(await post(key, turned, caller))).toEqual(shown(first));
    expect(await total(caller)).toBe(1);
  });

  it('is the same request with its id in capitals, and says which lead it was in small letters [S-137]', async () => {
    const { id } = (await post(randomUUID())).body.data;
    expect((await member.send('DELETE', `/api/leads/${id.toUpperCase()}`)).status).toBe(204);
    const key = randomUUID();
    const restore = (each: string) =>
      member.send('POST', `/api/leads/${each}/restore`, { headers: { 'idempotency-key': key } });
    const first = await restore(id.toUpperCase());
    expect(first).toMatchObject({ status: 200, body: { data: { id } } });
    const second = await restore(id);
    expect(shown(second)).toEqual(shown(first));
    expect(second.headers['idempotency-replayed']).toBe('true');
  });

  it('refuses another request under the same key, and changes nothing', async () => {
    const caller = await service.member();
    const key = randomUUID();
    await post(key, ada, caller);
    expect(refusal(await post(key, { ...ada, name: 'Eve' }, caller))).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await total(caller)).toBe(1);
  });

  it('knows a key of another user or of another organization as another key [S-165]', async () => {
    const key = randomUUID();
    const colleague = await service.member({ organizationId: member.organizationId });
    const stranger = await service.member();
    const answers = [await post(key), await post(key, ada, colleague), await post(key, ada, stranger)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3);
  });

  it('keeps no answer of a request that is refused', async () => {
    const key = randomUUID();
    expect((await post(key, { ...ada, email: 'nobody' })).status).toBe(400);
    expect(await kept(key)).toBe(0);
    expect((await post(key)).status).toBe(201);
  });

  it('keeps no answer of a request that fails half-way, and does it when it comes again [S-165]', async () => {
    const caller = await service.member();
    const key = randomUUID();
    await admin.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more room'; END $$;
      CREATE TRIGGER fail AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION fail()`);
    expect((await post(key, ada, caller)).status).toBe(500);
    await admin.query('DROP TRIGGER fail ON leads; DROP FUNCTION fail');
    expect([await kept(key), await total(caller)]).toEqual([0, 0]);
    expect((await post(key, ada, caller)).status).toBe(201);
    expect(await total(caller)).toBe(1);
  });

  it('does no work whose answer cannot be kept', async () => {
    const caller = await service.member();
    const key = randomUUID();
    await admin.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more room'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION fail()`);
    expect((await post(key, ada, caller)).status).toBe(500);
    await admin.query('DROP TRIGGER fail ON idempotency_keys; DROP FUNCTION fail');
    expect(await total(caller)).toBe(0);
  });

  it.each([
    ['an empty key', ''],
    ['blanks', 'a b'],
    ['more than 255 characters', 'k'.repeat(256)],
    ['other characters than ASCII', 'ä'],
  ])('refuses %s', async (_, key) => {
    const answer = refusal(await post(key));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', fields: ['idempotency-key'] });
  });

  it('is done again after 24 hours, also with another request', async () => {
    const caller = await service.member();
    const key = randomUUID();
    const first = await post(key, ada, caller);
    await admin.query(`UPDATE idempotency_keys SET created_at = created_at - INTERVAL '24 hours'`);
    const second = await post(key, { ...ada, name: 'Eve' }, caller);
    expect(second.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expect((await post(key, { ...ada, name: 'Eve' }, caller)).body.data.id).toBe(second.body.data.id);
    expect(await total(caller)).toBe(2);
  });

  it('tells a repetition to come again when the first request does not end', async () => {
    const key = randomUUID();
    const token = await service.issuer.token({ organizationId: member.organizationId, sub: randomUUID() });
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sub: string };
    const digest = createHash('sha256').update(key).digest('hex');
    const holder = await admin.connect();
    const lock = [`${member.organizationId}${claims.sub}${digest}`];
    await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', lock);
    const caller = service.caller(`Bearer ${token}`);
    const refused = await post(key, ada, caller);
    expect(refusal(refused)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' });
    expect(refused.headers['retry-after']).toBe('1');
    await holder.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', lock);
    holder.release();
    expect((await post(key, ada, caller)).status).toBe(201);
  });
});

describe.each(['connection', 'transaction'])('with connections bound per %s', (binding) => {
  it('20 concurrent requests with one key make one lead, and get one response [S-165]', async () => {
    const bound = await startService({ env: { TENANT_BINDING: binding } });
    try {
      const caller = await bound.member();
      for (let round = 0; round < 3; round++) {
        const key = randomUUID();
        const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, ada, caller)));
        expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(201));
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        const repeated = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
        expect(repeated).toHaveLength(19);
        expect(await total(caller)).toBe(round + 1);
      }
    } finally {
      await bound.close();
    }
  });

  it('20 concurrent requests with 20 keys make 20 leads', async () => {
    const bound = await startService({ env: { TENANT_BINDING: binding } });
    try {
      const caller = await bound.member();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(randomUUID(), ada, caller)));
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(201));
      expect(await total(caller)).toBe(20);
    } finally {
      await bound.close();
    }
  });
});

it('answers that are over are forgotten in batches, in every organization', async () => {
  const strangers = [await service.member(), await service.member()];
  for (const caller of strangers) await post(randomUUID(), ada, caller);
  const organizations = strangers.map(({ organizationId }) => organizationId);
  await admin.query(
    `INSERT INTO idempotency_keys (organization_id, user_id, key, request, status, headers, body, created_at)
     SELECT o, gen_random_uuid(), sha256(n::text::bytea), sha256(''), 201, '{}', '', now() - INTERVAL '25 hours'
     FROM unnest($1::uuid[]) o, generate_series(1, 2500) n`,
    [organizations],
  );
  await admin.query('UPDATE due_work SET next_attempt_at = now() WHERE organization_id = ANY($1)', [
    organizations,
  ]);
  const left = async () => {
    const { rows } = await admin.query<{ keys: number; hours: number }>(
      `SELECT count(*)::int AS keys, (SELECT min(extract(epoch FROM next_attempt_at - now()) / 3600)::float
         FROM due_work WHERE organization_id = ANY($1)) AS hours
       FROM idempotency_keys WHERE organization_id = ANY($1)`,
      [organizations],
    );
    return rows[0]!;
  };
  expect((await left()).keys).toBe(5_002);

  // Another instance on the same database looks as it starts.
  const logger = createLogger({ name: definition.name, level: 'trace', destination: testLog() });
  const config = readConfig(definition.name, definition.config, {
    NODE_ENV: 'test',
    DATABASE_URL: service.testDatabase.runtimeUrl,
    AUTH_URL: service.issuer.issuer,
    ...service.feed.env,
  }) as BusinessConfig<typeof peerSettings & OwnSettings>;
  const database = openDatabase(definition, { config, logger });
  const other = await buildService(definition, {
    ...{ config, database, logger },
    verifier: service.issuer.verifier(),
  });
  await other.ready();
  await expect.poll(async () => (await left()).keys).toBe(2);
  await expect.poll(async () => (await left()).hours).toBeGreaterThan(23);
  await other.close();
});
