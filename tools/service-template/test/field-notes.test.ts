import { randomUUID } from 'node:crypto';
import { invalid, notFound, refusal } from '@tenantry/service-tests';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, organizationCreated, startService, type Running } from './support/service.ts';

let running: Running;
beforeAll(async () => {
  running = await startService();
});
afterAll(() => running.close());

it('creates a field note, and gives it by its id and in the list', async () => {
  const member = await running.member();
  const id = await create(member, '  First ');
  const one = await member.send('GET', `/api/field-notes/${id}`);
  expect([one.status, one.body.data]).toMatchObject([200, { id, title: 'First' }]);
  const list = await member.send('GET', '/api/field-notes');
  expect(list.body).toMatchObject({
    data: [{ id, title: 'First' }],
    meta: { total: 1, page: 1, pageSize: 10 },
  });
});

it('lists the newest first, page by page, with the exact total beyond the last page too', async () => {
  const member = await running.member();
  const ids = [await create(member, 'A'), await create(member, 'B'), await create(member, 'C')];
  const page = async (number: number) => {
    const { body } = await member.send('GET', `/api/field-notes?page=${number}&pageSize=2`);
    return [(body.data as { id: string }[]).map(({ id }) => id), body.meta.total];
  };
  expect(await page(1)).toEqual([[ids[2], ids[1]], 3]);
  expect(await page(2)).toEqual([[ids[0]], 3]);
  expect(await page(3)).toEqual([[], 3]);
});

it('refuses a title that is missing, blank or too long, naming the field', async () => {
  const member = await running.member();
  for (const body of [{}, { title: ' ' }, { title: 'x'.repeat(201) }]) {
    expect(refusal(await member.send('POST', '/api/field-notes', { body }))).toEqual(invalid('title'));
  }
});

it('shows another organization’s field note like one that does not exist, and lists none of them', async () => {
  const [mine, theirs] = [await running.member(), await running.member()];
  const id = await create(theirs, 'Secret');
  expect(refusal(await mine.send('GET', `/api/field-notes/${id}`))).toEqual(notFound);
  expect(refusal(await mine.send('GET', `/api/field-notes/${randomUUID()}`))).toEqual(notFound);
  expect((await mine.send('GET', '/api/field-notes')).body).toMatchObject({ data: [], meta: { total: 0 } });
});

it('creates one field note of a request that is sent twice under one Idempotency-Key', async () => {
  const member = await running.member();
  const sent = { body: { title: 'Once' }, headers: { 'idempotency-key': randomUUID() } };
  const [first, second] = [
    await member.send('POST', '/api/field-notes', sent),
    await member.send('POST', '/api/field-notes', sent),
  ];
  expect([second.status, second.body.data]).toEqual([201, first.body.data]);
  expect((await member.send('GET', '/api/field-notes')).body.meta.total).toBe(1);
});

it('records who created a field note', async () => {
  const admin = await running.member({ role: 'admin', sub: randomUUID() });
  const id = await create(admin, 'First');
  const trail = await admin.send('GET', '/api/field-notes/audit');
  expect(trail.body.data).toMatchObject([
    { action: 'field-note.created', target: { type: 'field-note', id } },
  ]);
});

it('says whose a field note is, once auth-service has told the name', async () => {
  const member = await running.member();
  const id = await create(member, 'First');
  const owner = async () => {
    const { body } = await member.send('GET', `/api/field-notes/${id}`);
    return (body.data as { organizationName: string | null }).organizationName;
  };
  expect(await owner()).toBeNull();
  running.feed.tell(organizationCreated(member.organizationId, 'Analytical Engines'));
  await expect.poll(owner).toBe('Analytical Engines');
});
