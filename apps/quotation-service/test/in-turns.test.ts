import { setImmediate } from 'node:timers/promises';
import { success, SuccessOf } from '@tenantry/envelope';
import { ClosedObject, Text } from '@tenantry/service-kit/resources';
import fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentHash } from '../src/quotes/quote-document.ts';
import { packagesInTurns } from '../src/quotes/in-turns.ts';
import { wholeAnswer } from '../src/quotes/quote-requests.http.ts';
import { WorkPackageSchema } from '../src/quotes/quotes.schemas.ts';
import { linesOf, sampleQuote } from './fixtures/sample-quote.ts';

/** Turns that other requests had while something was done. */
async function turnsDuring<Result>(work: () => Promise<Result>) {
  let [turns, isDone] = [0, false];
  const counting = (async () => {
    while (await setImmediate(!isDone)) turns += 1;
  })();
  const result = await work();
  isDone = true;
  await counting;
  return { turns, result };
}

const packages = 40;
const text = 'Says "workPackages":[] \\ and \u001e\u2028 </script> ä 😀';
const large = sampleQuote(
  Array.from({ length: packages }, (_, n) => ({
    name: `${text} ${n}`,
    items: linesOf(20).map((line) => ({ ...line, description: text })),
  })),
  { description: text },
);

const Answer = SuccessOf(
  ClosedObject({ description: Text('New roof'), workPackages: Type.Array(WorkPackageSchema) }),
);

async function serving({ description, workPackages }: typeof large, status = 200): Promise<FastifyInstance> {
  const app = fastify();
  onTestFinished(() => app.close());
  const answer = success({ description, workPackages: [...workPackages] }, 'a-request');
  const route = { schema: { response: { [status]: Answer } } };
  app.get('/whole', route, async (_request, reply) => wholeAnswer(reply.code(status), answer));
  app.get('/at-once', route, async (_request, reply) => reply.code(status).send(answer));
  await app.ready();
  return app;
}

describe('a large quote', () => {
  it.each([200, 201])('is sent package by package, as it would be at once (%i)', async (status) => {
    const app = await serving(large, status);
    const { turns, result } = await turnsDuring(async () => app.inject('/whole'));
    expect(turns).toBeGreaterThanOrEqual(packages);
    const atOnce = await app.inject('/at-once');
    expect(result.body).toBe(atOnce.body);
    expect([result.statusCode, result.headers['content-type']]).toEqual([
      status,
      atOnce.headers['content-type'],
    ]);
  });

  it('is read and hashed package by package', async () => {
    const rows = large.workPackages.map((one) => ({ workPackage: JSON.stringify(one) }));
    const read = await turnsDuring(() => packagesInTurns(rows));
    expect(read.result).toEqual(large.workPackages);
    const hashed = await turnsDuring(() => contentHash(large));
    for (const { turns } of [read, hashed]) expect(turns).toBeGreaterThanOrEqual(packages);
  });
});

it('a quote of few lines is sent at once, with its length', async () => {
  const app = await serving(sampleQuote());
  expect((await app.inject('/whole')).headers['content-length']).toBeDefined();
});

it('a quote without packages has none', async () => {
  expect(await packagesInTurns([{ workPackage: null }])).toEqual([]);
});
