import { randomUUID } from 'node:crypto';
import { invalid, notFound, refusal, startTestService, type TestService } from '@tenantry/service-tests';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PrismaClient } from '../src/generated/prisma/client.ts';
import { service } from '../src/service.ts';

let running: TestService<PrismaClient>;
beforeAll(async () => {
  running = await startTestService(service);
});
afterAll(() => running.close());

async function create(caller: Awaited<ReturnType<typeof running.member>>, title: string): Promise<string> {
  const answer = await caller.send('POST', '/api/samples', { body: { title } });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body.data as { id: string }).id;
}

it('creates a sample, and gives it by its id and in the list', async () => {
  const member = await running.member();
  const id = await create(member, '  First ');
  const one = await member.send('GET', `/api/samples/${id}`);
  expect([one.status, one.body.data]).toMatchObject([200, { id, title: 'First' }]);
  const list = await member.send('GET', '/api/samples');
  expect(list.body).toMatchObject({
    data: [{ id, title: 'First' }],
    meta: { total: 1, page: 1, pageSize: 10 },
  });
});

it('lists the newest first, page by page, with the exact total beyond the last page too', async () => {
  const member = await running.member();
  const ids = [await create(member, 'A'), await create(member, 'B'), await create(member, 'C')];
  const page = async (number: number) => {
    const { body } = await member.send('GET', `/api/samples?page=${number}&pageSize=2`);
    return [(body.data as { id: string }[]).map(({ id }) => id), body.meta.total];
  };
  expect(await page(1)).toEqual([[ids[2], ids[1]], 3]);
  expect(await page(2)).toEqual([[ids[0]], 3]);
  expect(await page(3)).toEqual([[], 3]);
});

it('refuses a title that is missing, blank or too long, naming the field', async () => {
  const member = await running.member();
  for (const body of [{}, { title: ' ' }, { title: 'x'.repeat(201) }]) {
    expect(refusal(await member.send('POST', '/api/samples', { body }))).toEqual(invalid('title'));
  }
});

it('shows another organization’s sample like one that does not exist, and lists none of them', async () => {
  const [mine, theirs] = [await running.member(), await running.member()];
  const id = await create(theirs, 'Secret');
  expect(refusal(await mine.send('GET', `/api/samples/${id}`))).toEqual(notFound);
  expect(refusal(await mine.send('GET', `/api/samples/${randomUUID()}`))).toEqual(notFound);
  expect((await mine.send('GET', '/api/samples')).body).toMatchObject({ data: [], meta: { total: 0 } });
});
