import { setTimeout as sleep } from 'node:timers/promises';
import { canary, startTraceCollector, type TraceCollector } from '@tenantry/test-kit';
import { statement } from '@tenantry/tenancy';
import { inTrace, startTracing, type Tracing } from '@tenantry/tracing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFixture, models, newOrganizations, writeNotes, type Fixture } from './fixture/database.ts';

const notesLike = statement<{ text: string }, [text: string]>({
  name: 'spans-notes-like',
  text: 'SELECT text FROM notes WHERE organization_id = $1 AND text <> $2 ORDER BY text',
});
const failing = statement<never, [text: string]>({
  name: 'spans-failing',
  text: 'SELECT $2::text::int FROM notes WHERE organization_id = $1',
});

let fixture: Fixture;
let collector: TraceCollector;
let tracing: Tracing;
const [organizationId = ''] = newOrganizations(1);

beforeAll(async () => {
  fixture = await createFixture();
  await writeNotes(fixture.admin, [organizationId], 5);
});
beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = await startTracing({ ...collector.allTraces, service: 'notes-service' });
  return async () => {
    await tracing.stop();
    await collector.close();
  };
});
afterAll(() => fixture.drop());

/** The names of what was recorded, each with the name of what it was a part of. */
async function recorded(): Promise<string[]> {
  await tracing.stop();
  const nameOf = (id: string | undefined) =>
    collector.spans.find(({ spanId }) => spanId === id)?.name ?? 'none';
  return collector.spans.map(({ name, parentSpanId }) => `${name} in ${nameOf(parentSpanId)}`).sort();
}

it('statements, calls of Prisma, transactions and batches are spans of their names', async () => {
  const database = fixture.open();
  const notes = database.within({ organizationId });
  await inTrace('request', async () => {
    await notes.query(notesLike, ['']);
    await models(notes).note.count();
    await notes.transaction(async (tx) => {
      await tx.query(notesLike, ['']);
      await models(tx).note.findFirst();
    });
    for await (const batch of notes.batches(notesLike, [''], { rows: 2 })) expect(batch).not.toEqual([]);
  });
  expect(await recorded()).toEqual([
    'prisma.note.count in request',
    'prisma.note.findFirst in transaction',
    'request in none',
    'spans-notes-like in request',
    'spans-notes-like in request',
    'spans-notes-like in transaction',
    'transaction in request',
  ]);
});

it('a request that waits for the connection of another keeps to its own trace', async () => {
  const notes = fixture.open({ poolSize: 1 }).within({ organizationId });
  const request = (name: string) =>
    inTrace(name, async () => {
      await notes.query(notesLike, ['']);
      await sleep(1);
      await notes.query(notesLike, ['']);
    });
  await Promise.all(Array.from({ length: 5 }, (_, at) => request(`request-${at}`)));

  const names = await recorded();
  for (let at = 0; at < 5; at += 1) {
    expect(names.filter((name) => name === `spans-notes-like in request-${at}`)).toHaveLength(2);
  }
});

it('a statement shows neither its text nor a value, also where it fails [S-176]', async () => {
  const notes = fixture.open().within({ organizationId });
  await inTrace('request', () => notes.query(notesLike, [canary]));
  await expect(inTrace('request', () => notes.query(failing, [canary]))).rejects.toThrow(canary);
  await recorded();
  const failed = collector.spans.find(({ name }) => name === 'spans-failing');
  expect(failed).toMatchObject({
    isError: true,
    attributes: { 'db.system.name': 'postgresql', 'error.type': '22P02' },
  });
  for (const part of [canary, organizationId, 'SELECT']) expect(collector.text()).not.toContain(part);
});
