import { setImmediate } from 'node:timers/promises';
import { success, SuccessOf } from '@tenantry/envelope';
import { ClosedObject, Text } from '@tenantry/service/resources';
import fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Tenant } from '../src/database.ts';
import type { PdfTask } from '../src/pdf/pdf.worker.ts';
import { pdfLinesMax } from '../src/pdf/pdf-size.ts';
import { packagesInTurns, packagesOf } from '../src/quotes/in-turns.ts';
import { contentHash, parsedDocument } from '../src/quotes/quote-document.ts';
import { wholeAnswer } from '../src/quotes/quote-requests.http.ts';
import { Quotes, type QuotesOptions } from '../src/quotes/quotes.ts';
import type { QuoteRepository } from '../src/quotes/quotes.repository.ts';
import { QuotePdfs } from '../src/quote-pdfs/quote-pdfs.ts';
import type { OrganizationSettings } from '../src/settings/organization-settings.ts';
import { WorkPackageSchema } from '../src/quotes/quotes.schemas.ts';
import { linesOf, sampleQuote, unparsed } from './fixtures/sample-quote.ts';

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

const { head, packages: written } = unparsed(large);

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

describe('a large quote [S-173]', () => {
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
    const read = await turnsDuring(() => packagesInTurns(written));
    expect(read.result).toEqual(large.workPackages);
    const hashed = await turnsDuring(() => contentHash(large));
    for (const { turns } of [read, hashed]) expect(turns).toBeGreaterThanOrEqual(packages);
  });
});

it('a quote of few lines is sent at once, with its length', async () => {
  const app = await serving(sampleQuote());
  expect((await app.inject('/whole')).headers['content-length']).toBeDefined();
});

it('a quote without packages has none', () => {
  expect(packagesOf([{ workPackage: null }])).toEqual([]);
});

describe('a quote for a PDF', () => {
  const tenant = {} as Tenant;
  const asked = { asking: { organizationId: 'a' }, timeoutSeconds: 60, language: 'en' } as const;

  /** What a thread is given of a quote of so many lines, and what was read of it. */
  async function given(lines: number) {
    const findUnparsed = vi.fn(async () => ({ ...head, packages: written }));
    const repository = { countLines: async () => lines, findUnparsed } as unknown as QuoteRepository;
    const settings = { shown: async () => ({ ...head.seller, timeZone: head.timeZone }) };
    const quotes = new Quotes({ repository, settings } as unknown as QuotesOptions);
    const tasks: PdfTask[] = [];
    const quotePdfs = new QuotePdfs({
      quotes,
      currentSettings: { readWithLogo: async () => ({}) as OrganizationSettings },
      logos: { find: async () => undefined },
      pdfs: {
        async make(read) {
          tasks.push(await read());
          return new Uint8Array();
        },
      },
    });
    const made = await quotePdfs.make(tenant, 'a-quote', asked).catch((error: unknown) => error);
    return { made, tasks, findUnparsed };
  }

  it('is handed over as PostgreSQL wrote it: a text for each package, which its thread parses', async () => {
    const { tasks } = await given(pdfLinesMax);
    expect(tasks).toMatchObject([{ quote: { packages: written, head: { number: large.number } } }]);
    expect(parsedDocument(tasks[0]!.quote).workPackages).toEqual(large.workPackages);
  });

  it('is refused by its count of lines, before anything is read', async () => {
    const { made, tasks, findUnparsed } = await given(pdfLinesMax + 1);
    expect(made).toMatchObject({ code: 'QUOTE_TOO_LARGE_FOR_PDF', statusCode: 409 });
    expect([tasks, findUnparsed.mock.calls]).toEqual([[], []]);
  });
});
