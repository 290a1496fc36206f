import { setTimeout as delay } from 'node:timers/promises';
import { testLog } from '@tenantry/test-kit';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pagesMax } from '../src/pdf/pdf-size.ts';
import { Pdfs, type PdfAsked, type PdfLimits } from '../src/pdf/pdfs.ts';
import type { PdfTask } from '../src/pdf/pdf.worker.ts';
import { typesetQuote } from '../src/pdf/quote-pdf.ts';
import { linesOf, sampleQuote, unparsed, type SampleLine } from '../test/fixtures/sample-quote.ts';

let opened: Pdfs | undefined;
const warnings: object[] = [];
const log = testLog();
function warn(fields: object, message: string): void {
  warnings.push({ ...fields, message });
  log.write(`${JSON.stringify({ ...fields, message })}\n`);
}
afterEach(() => {
  warnings.length = 0;
  return opened?.close();
});

const open = (limits: Partial<PdfLimits> = {}) =>
  (opened = new Pdfs({
    ...{ threads: 2, waiting: 8, heapMegabytesMax: 256 },
    logger: { warn },
    ...limits,
  }));

const by = (organization: string, asked: Partial<PdfAsked> = {}): PdfAsked => ({
  asking: { organizationId: organization },
  timeoutSeconds: 60,
  ...asked,
});
const ofAddress = (organizationId: string, address: string): PdfAsked => ({
  ...by(organizationId),
  asking: { organizationId, address },
});
const sampleOf = (items: readonly SampleLine[]) => sampleQuote([{ name: 'All', items }]);
const quoteOf = (items: readonly SampleLine[]): PdfTask => ({
  quote: unparsed(sampleOf(items)),
  language: 'en',
});
const small = quoteOf(linesOf(3));
/** Takes a thread a second or so. */
const large = quoteOf(linesOf(4_000));

/** How many threads are in use. */
const running = (pdfs: Pdfs): unknown =>
  pdfs.measurements[0]?.read().find(({ labels }) => labels?.['state'] === 'running');

describe('making PDFs in threads', () => {
  it('gives the same bytes as making them here', async () => {
    const made = await open().make(() => small, by('a'));
    const here = await typesetQuote({ quote: sampleOf(linesOf(3)), language: 'en' });
    expect(Buffer.compare(made, here)).toBe(0);
  });

  it('leaves the event loop to other requests [S-171, S-173]', async () => {
    const pdfs = open();
    await pdfs.make(() => small, by('a'));
    let made = false;
    const making = pdfs.make(() => large, by('a')).then(() => (made = true));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(false);
    await making;
  });

  it('keeps one organization to half of the threads, however much it asks for [S-171]', async () => {
    const pdfs = open();
    const made: string[] = [];
    const ask = async (label: string, task: typeof small) => {
      await pdfs.make(() => task, by(label));
      made.push(label);
    };
    const flood = Array.from({ length: 5 }, () => ask('flooding', large));
    expect(running(pdfs)).toMatchObject({ value: 1 });
    await Promise.all([ask('honest', small), ...flood]);
    expect(made[0]).toBe('honest');
  });

  it('takes turns where all threads are in use', async () => {
    const pdfs = open({ threads: 1 });
    const made: string[] = [];
    const ask = async (label: string, task: typeof small = small) => {
      await pdfs.make(() => task, by(label));
      made.push(label);
    };
    await Promise.all([...['a', 'a', 'a', 'a'].map((label) => ask(label)), ask('b')]);
    expect(made.indexOf('b')).toBeLessThanOrEqual(1);
  });

  it.each([
    ['one organization', () => by('flooding')],
    ['one address with ever other organizations', (n: number) => ofAddress(`o${n}`, '198.51.100.1')],
  ])('begins that of another next under a flood of %s', async (_who, asked) => {
    const pdfs = open({ waiting: 64 });
    const begun: string[] = [];
    const make = (label: string, by: PdfAsked) =>
      pdfs.make(() => {
        begun.push(label);
        return small;
      }, by);
    const flood = Array.from({ length: 20 }, (_, n) => make('flood', asked(n)));
    await Promise.all([...flood, make('honest', ofAddress('honest', '192.0.2.1'))]);
    // Two are being made already, and one of the flood may come before it.
    expect(begun.indexOf('honest')).toBeLessThanOrEqual(3);
  });

  it('ends with the client: the thread that is at it, and the place of what waits [S-171]', async () => {
    const pdfs = open({ threads: 1 });
    const clients = [new AbortController(), new AbortController()];
    const left = clients.map(({ signal }) => pdfs.make(() => large, by('a', { signal })));
    await delay(200);
    for (const client of clients) client.abort(new Error('gone'));
    for (const request of left) await expect(request).rejects.toThrow('gone');
    expect(running(pdfs)).toMatchObject({ value: 0 });
    await expect(pdfs.make(() => small, by('a'))).resolves.toBeInstanceOf(Uint8Array);
  });

  it('refuses what waits beyond the limit, from the sharer with the most, and makes the others [S-171]', async () => {
    const pdfs = open({ threads: 1, waiting: 2 });
    const flood = Array.from({ length: 8 }, () => pdfs.make(() => small, by('flooding')));
    const honest = pdfs.make(() => small, by('honest'));
    const answers = await Promise.allSettled(flood);
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({
      reason: { code: 'UPSTREAM_UNAVAILABLE', statusCode: 503, headers: { 'retry-after': '5' } },
    });
    await expect(honest).resolves.toBeInstanceOf(Uint8Array);
  });

  it('gives up on one that takes too long, and its thread is free again', async () => {
    const pdfs = open({ threads: 1 });
    await expect(pdfs.make(() => large, by('a', { timeoutSeconds: 0.2 }))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
    await expect(pdfs.make(() => small, by('a'))).resolves.toBeInstanceOf(Uint8Array);
  });

  it('loses a thread that runs out of memory, says so, and makes the next one in another', async () => {
    const pdfs = open({ heapMegabytesMax: 36 });
    const mixed = quoteOf(Array.from({ length: 90 }, () => ({ description: 'aא☃'.repeat(1_666) })));
    await expect(pdfs.make(() => mixed, by('a'))).rejects.toMatchObject({ code: 'QUOTE_TOO_LARGE_FOR_PDF' });
    await expect(pdfs.make(() => small, by('a'))).resolves.toBeInstanceOf(Uint8Array);
  });

  it('outlives threads that have no memory to begin with', async () => {
    const pdfs = open({ heapMegabytesMax: 8 });
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    onTestFinished(() => timeout.mockRestore());
    const making = pdfs.make(() => small, by('a'));
    await expect.poll(() => warnings).toMatchObject([{ err: { code: 'ERR_WORKER_OUT_OF_MEMORY' } }]);
    late.abort();
    await expect(making).rejects.toMatchObject({ statusCode: 503 });
  });
});

describe('a quote that is too large for a PDF', () => {
  const times = (count: number, description: string) =>
    Array.from({ length: count }, () => ({ description }));

  it.each([
    ['by its lines', linesOf(10_000)],
    ['by its line breaks', times(8, '\n'.repeat(4_999))],
    ['by other line breaks', times(8, '\u2028'.repeat(4_999))],
    ['by wide letters', times(200, 'W'.repeat(5_000))],
    ['by words of one letter that a narrow column breaks', times(200, 'Wwwww '.repeat(833))],
    [
      'by long article numbers and units',
      times(3_500, 'x').map((line) => ({ ...line, articleNumber: 'W'.repeat(50), unit: 'W'.repeat(20) })),
    ],
    ['by letters of many fonts', times(200, 'aא☃'.repeat(1_666))],
  ])(`is one of more than ${pagesMax} pages as they are set: %s`, async (_, items) => {
    const pdfs = open();
    await expect(pdfs.make(() => quoteOf(items), by('a'))).rejects.toMatchObject({
      ...{ code: 'QUOTE_TOO_LARGE_FOR_PDF', statusCode: 409 },
    });
    await expect(pdfs.make(() => small, by('a'))).resolves.toBeInstanceOf(Uint8Array);
  });
});
