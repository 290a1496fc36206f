import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLead, startService, type Caller, type TestService } from './support/service.ts';

// What the API says and does where a replica is configured that cannot be reached. One that can is in
// tools/test-long/replica.test.ts.

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService({
    env: { DATABASE_REPLICA_URL: 'postgres://nobody:nothing@127.0.0.1:1/none' },
  });
  member = await service.member();
});
afterAll(() => service.close());

it('gives a token with each change, and with nothing else', async () => {
  const id = await createLead(member);
  const token = async (...request: Parameters<Caller['send']>) =>
    (await member.send(...request)).headers['consistency-token'];
  const change = { body: { notes: 'called' } };
  expect(await token('PUT', `/api/leads/${id}`, change)).toMatch(/^[\w-]{11}\.[0-9a-f]+$/);
  expect(await token('PATCH', `/api/leads/${id}`, change)).toBeDefined();
  expect(await token('DELETE', `/api/leads/${id}`)).toBeDefined();
  expect(await token('POST', `/api/leads/${id}/restore`)).toBeDefined();
  expect(await token('PUT', `/api/leads/${id}`, { body: { colour: 'red' } })).toBeUndefined();
  expect(await token('GET', `/api/leads/${id}`)).toBeUndefined();
  expect(await token('GET', '/api/leads')).toBeUndefined();
});

it('gives it again with an answer that is repeated', async () => {
  const request = [
    'POST',
    '/api/leads',
    {
      body: { name: 'Ada', email: 'ada@example.com' },
      headers: { 'idempotency-key': 'the-same' },
    },
  ] as const;
  expect((await member.send(...request)).headers['consistency-token']).toBeDefined();
  const repeated = await member.send(...request);
  expect(repeated.headers['idempotency-replayed']).toBe('true');
  expect(repeated.headers['consistency-token']).toBeDefined();
});

it('answers lists, searches, statistics and the trail from the primary', async () => {
  const admin = await service.member({ role: 'admin', organizationId: member.organizationId });
  const before = service.database.replica?.outcomes.away ?? NaN;
  for (const path of ['', '?search=ada', '/statistics', '/audit']) {
    expect((await admin.send('GET', `/api/leads${path}`)).status).toBe(200);
  }
  expect(service.database.replica?.outcomes).toEqual({
    ...{ answered: 0, lagging: 0, behind: 0, failed: 0 },
    // A search looks at a sample before.
    away: before + 5,
  });
  const metrics = await service.app.metrics.metrics();
  expect(metrics).toContain(`tenantry_replica_reads_total{outcome="away"} ${before + 5}`);
  expect(metrics).toContain('tenantry_replica_lag_seconds +Inf');
});

it('says in its document where the token comes from and where it goes', async () => {
  const { body } = await service.caller().send('GET', '/api/leads/openapi.json');
  const { paths } = body as unknown as {
    paths: Record<
      string,
      Record<string, { parameters?: { name: string }[]; responses: Record<string, object> }>
    >;
  };
  const parametersOf = (path: string) => paths[path]?.['get']?.parameters?.map(({ name }) => name);
  expect(parametersOf('/api/leads')).toContain('Consistency-Token');
  expect(parametersOf('/api/leads/{id}')).not.toContain('Consistency-Token');
  const created = paths['/api/leads']?.['post']?.responses['201'];
  expect(created).toHaveProperty('headers.Consistency-Token');
  expect(created).toHaveProperty('headers.ETag');
  expect(paths['/api/leads/{id}']?.['delete']?.responses['204']).toHaveProperty('headers.Consistency-Token');
  expect(paths['/api/leads']?.['get']?.responses['200']).not.toHaveProperty('headers');
});

it('gives no token where no replica is configured', async () => {
  const plain = await startService();
  const answer = await (
    await plain.member()
  ).send('POST', '/api/leads', { body: { name: 'Ada', email: 'ada@example.com' } });
  expect(answer.status).toBe(201);
  expect(answer.headers['consistency-token']).toBeUndefined();
  await plain.close();
});
