import { buffer } from 'node:stream/consumers';
import { Archives } from '@tenantry/service/archive';
import { readArchive, rowsOf, type ReadArchive } from '@tenantry/service-tests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quotationArchive } from '../src/archive/quotation-archive.repository.ts';
import {
  addLine,
  firstPackage,
  organizationOf,
  post,
  quoteOf,
  quotesUrl,
  readQuote,
  sendQuote,
  startService,
  type TestService,
} from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.app.ready();
});
afterAll(() => service.close());

interface Line {
  readonly quote_id: string;
  readonly total_price: number;
}

interface Summed {
  readonly id: string;
  readonly subtotal: number;
}

describe('the archive of quotes', () => {
  it('has each sent quote and each contract as a PDF, and tables for people [S-291]', async () => {
    const owner = await service.member({ role: 'owner' });
    const { organizationId } = owner;
    service.feed.tell(organizationOf(organizationId));
    const { id } = await quoteOf(owner, [[[1, 10]]]);
    await sendQuote(owner, id);
    const { id: revised } = await post(owner, `${quotesUrl}/${id}/revise`, {});
    await sendQuote(owner, revised);
    await post(owner, `${quotesUrl}/${revised}/accept`, {});
    await post(owner, `${quotesUrl}/${revised}/contract`, {});
    const draft = await quoteOf(owner, [[[1, 10]]]);
    const { number } = await readQuote(owner, id);
    const authorization = `Bearer ${await service.issuer.token({ role: 'owner', organizationId })}`;
    const ask = async (query: string) => {
      const url = `/api/quotation/export/organization${query}`;
      return readArchive((await service.app.inject({ url, headers: { authorization } })).rawPayload);
    };
    const { names, files } = await ask('');
    const pdfs = names.filter((name) => name.startsWith('pdf/'));
    expect(pdfs).toEqual([`pdf/${number}.pdf`, `pdf/${number}-2.pdf`, `pdf/${number}-2-contract.pdf`]);
    for (const name of pdfs) expect(String(files.get(name)?.subarray(0, 5))).toBe('%PDF-');
    const sheets = names.filter((name) => name.startsWith('csv/'));
    expect(sheets).toEqual(['csv/customers.csv', 'csv/quotes.csv', 'csv/lines.csv']);
    expect(String(files.get('csv/quotes.csv'))).toContain((await readQuote(owner, draft.id)).number);
    expect((await ask('?year=2001')).names.filter((name) => name.startsWith('pdf/'))).toEqual([]);
    expect((await ask('?pdfs=none')).names.filter((name) => name.startsWith('pdf/'))).toEqual([]);
  });

  it('is of one moment beside six writers: what quotes amount to is the sum of their lines [S-295]', async () => {
    const owner = await service.member({ role: 'owner' });
    const { organizationId } = owner;
    service.feed.tell(organizationOf(organizationId));
    const quotes = await Promise.all(Array.from({ length: 6 }, () => quoteOf(owner, [[[1, 10]]])));
    let isOver = false;
    const writers = quotes.map(async (quote) => {
      const packageId = firstPackage(quote).id;
      while (!isOver) await addLine(owner, { quoteId: quote.id, packageId }, { quantity: 2, unitPrice: 3 });
    });
    const archives = new Archives({
      ...quotationArchive,
      service: 'quotation-service',
      migration: async () => '',
    });
    const tenant = service.database.within({ organizationId });
    const found: ReadArchive[] = [];
    for (let n = 0; n < 5; n += 1) found.push(await readArchive(await buffer(archives.begin({ tenant }))));
    isOver = true;
    await Promise.all(writers);
    for (const archive of found) {
      const lines = rowsOf<Line>(archive, 'line_items');
      const summed = (quoteId: string) =>
        lines.filter((line) => line.quote_id === quoteId).reduce((sum, line) => sum + line.total_price, 0);
      for (const { id, subtotal } of rowsOf<Summed>(archive, 'quotes')) expect(summed(id)).toBe(subtotal);
      expect(archive.manifest.tables['line_items']?.rows).toBe(lines.length);
    }
  });
});
