import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalid, notFound, refusal } from '@tenantry/service-tests';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, organizationCreated, startService, type Running } from './support/service.ts';

let running: Running;
beforeAll(async () => {
  running = await startService();
});
afterAll(() => running.close());

const body = { recipientEmail: 'karin@astrom.example' };

/** The text of every mail so far. */
function letters(): string[] {
  const names = readdirSync(running.mailDirectory).filter((name) => name.endsWith('.txt'));
  return names.map((name) => readFileSync(join(running.mailDirectory, name), 'utf8'));
}

it('mails a field note once', async () => {
  const member = await running.member();
  const id = await create(member, 'Charles <the first>');
  running.feed.tell(organizationCreated(member.organizationId, 'Analytical Engines'));
  await expect
    .poll(async () => (await member.send('GET', `/api/field-notes/${id}`)).text)
    .toContain('Analytical Engines');
  const sent = await member.send('POST', `/api/field-notes/${id}/send`, { body });
  expect(sent.status, sent.text).toBe(200);
  await expect.poll(letters).toHaveLength(1);
  const [letter] = letters();
  expect(letter).toContain('karin@astrom.example');
  expect(letter).toContain('Charles <the first>');
  expect(letter).toContain('Analytical Engines');
});

it('refuses an address that is none, and mails nothing of another organization', async () => {
  const [mine, theirs] = [await running.member(), await running.member()];
  const id = await create(theirs, 'Secret');
  const own = await create(mine, 'Own');
  const send = (of: string, letter: object) =>
    mine.send('POST', `/api/field-notes/${of}/send`, { body: letter });
  expect(refusal(await send(own, { recipientEmail: 'nobody' }))).toEqual(invalid('recipientEmail'));
  expect(refusal(await send(id, body))).toEqual(notFound);
  expect(refusal(await send(randomUUID(), body))).toEqual(notFound);
});

it('mails a field note twenty times at most', async () => {
  const member = await running.member();
  const id = await create(member, 'First');
  const send = () => member.send('POST', `/api/field-notes/${id}/send`, { body });
  for (let mails = 0; mails < 20; mails++) expect((await send()).status).toBe(200);
  expect(refusal(await send())).toMatchObject({ status: 409, code: 'CONFLICT' });
});
