import { afterEach, describe, expect, it } from 'vitest';
import { createPdfs, type PdfLimits, type Pdfs } from '../../src/pdf/pdfs.ts';
import { typesetQuote } from '../../src/pdf/quote-pdf.ts';
import { linesOf, sampleQuote } from '../fixtures/sample-quote.ts';

let opened: Pdfs | undefined;
afterEach(() => opened?.close());

const open = (limits: Partial<PdfLimits> = {}) =>
  (opened = createPdfs({ threads: 1, waiting: 4, timeoutSeconds: 60, heapMegabytesMax: 512, ...limits }));

const small = { quote: sampleQuote(), language: 'en' } as const;

describe('making PDFs in threads', () => {
  it('gives the same bytes as making them here', async () => {
    const made = await open().make(small);
    expect(Buffer.compare(made, await typesetQuote(small))).toBe(0);
  });

  it('leaves the event loop to other requests', async () => {
    const pdfs = open();
    await pdfs.make(small);
    let made = false;
    const large = pdfs
      .make({ quote: sampleQuote([{ name: 'All', items: linesOf(500) }]), language: 'en' })
      .then(() => (made = true));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(false);
    await large;
  });

  it('refuses a PDF beyond those that may wait, and makes the others', async () => {
    const pdfs = open({ waiting: 2 });
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => pdfs.make(small)));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]).toMatchObject({
      reason: { code: 'UPSTREAM_UNAVAILABLE', statusCode: 503, headers: { 'retry-after': '5' } },
    });
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
    await expect(pdfs.make(small)).resolves.toBeInstanceOf(Uint8Array);
  });

  it('makes none of a quote that is too large, by its lines or by its letters', async () => {
    const many = sampleQuote([{ name: 'All', items: linesOf(13_000) }]);
    const long = sampleQuote([{ name: 'All', items: [{ description: 'x'.repeat(2_000_000) }] }]);
    for (const quote of [many, long]) {
      await expect(open().make({ quote, language: 'en' })).rejects.toMatchObject({
        ...{ code: 'QUOTE_TOO_LARGE_FOR_PDF', statusCode: 409 },
      });
    }
  });

  it('loses a thread that runs out of memory, says so, and makes the next one in another', async () => {
    const pdfs = open({ heapMegabytesMax: 64 });
    const large = sampleQuote([{ name: 'All', items: linesOf(10_000) }]);
    await expect(pdfs.make({ quote: large, language: 'en' })).rejects.toMatchObject({
      code: 'QUOTE_TOO_LARGE_FOR_PDF',
    });
    await expect(pdfs.make(small)).resolves.toBeInstanceOf(Uint8Array);
  }, 60_000);

  it('gives up on one that takes too long', async () => {
    await expect(open({ timeoutSeconds: 0.001 }).make(small)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
  });
});
