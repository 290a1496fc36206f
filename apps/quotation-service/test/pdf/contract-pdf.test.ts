import { getDocumentProxy, getMeta } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { typesetQuote } from '../../src/pdf/quote-pdf.ts';
import type { Agreement } from '../../src/quotes/quote-document.ts';
import type { Language } from '../../src/wording/languages.ts';
import { linesOf, sampleQuote } from '../fixtures/sample-quote.ts';
import { textOfPages } from '../support/pdf-text.ts';

const agreement: Agreement = {
  ...{ acceptedAt: '2026-11-24T13:30:00.000Z', acceptedBy: 'customer', name: 'Karin Åström' },
  ...{ contentHash: '9f86d081'.repeat(8), createdAt: '2026-11-25T09:00:00.000Z' },
};
const signed = (language: Language = 'en', quote = sampleQuote(), agreed: Partial<Agreement> = {}) =>
  typesetQuote({ quote, language, agreement: { ...agreement, ...agreed } });

describe('the PDF of a contract', () => {
  it('shows the parties, what was agreed, who accepted it and when, and lines for both to sign on', async () => {
    const quote = sampleQuote();
    const [page = ''] = await textOfPages(await signed());
    for (const text of [
      ...['Contract', 'Q-2026-0042', 'Quoted 21 November 2026', 'Accepted 24 November 2026'],
      ...['Kitchen', 'Task 1 of many', 'VAT 25%', 'Total SEK 13,199.55'],
      'Karin Åström accepted quote Q-2026-0042 on 24 November 2026 at 14:30 CET.',
      agreement.contentHash,
    ]) {
      expect(page).toContain(text);
    }
    const lines = 'Place and date Signature Name in print';
    const parties = [`Seller ${quote.seller.name} ${lines}`, `Customer ${quote.customer.name} ${lines}`];
    expect(page).toContain(`Signatures ${parties.join(' ')}`);
    expect(page).not.toMatch(/valid until/i);
  });

  it('is in Swedish as well', async () => {
    const [page] = await textOfPages(await signed('sv'));
    for (const text of [
      ...['Avtal', 'Accepterat 24 november 2026', 'Totalt 13 199,55 SEK'],
      'Karin Åström accepterade offert Q-2026-0042 den 24 november 2026 kl. 14:30 CET.',
      'Underskrifter Säljare Åkessons Bygg & Måleri AB Ort och datum Namnteckning Namnförtydligande Kund',
    ]) {
      expect(page).toContain(text);
    }
  });

  it.each([
    ['the seller accepted for the customer', { acceptedBy: 'seller', name: null }, 'The seller recorded on'],
    ['the customer has been erased', { name: null }, 'The customer accepted quote'],
  ] as const)('says so where %s', async (_, agreed, text) => {
    const [page] = await textOfPages(await signed('en', sampleQuote(), agreed));
    expect(page).toContain(text);
  });

  it('keeps the lines to sign on together on the last page, with long names, wherever the page ends', async () => {
    const name = 'Bostadsrättsföreningen Näckrosen vid Sjöns Strand '.repeat(4).trim();
    const quote = sampleQuote();
    for (let count = 1; count <= 30; count += 1) {
      const parties = { seller: { ...quote.seller, name }, customer: { ...quote.customer, name } };
      const long = sampleQuote([{ name: 'All', items: linesOf(count) }], parties);
      const pages = await textOfPages(await signed('en', long, { name }));
      const last = pages.at(-1);
      for (const text of ['Acceptance', 'Signatures']) expect(last).toContain(text);
      expect(last?.match(/Name in print/g)).toHaveLength(2);
      if (pages.length > 1) expect(last).toContain('Contract Q-2026-0042');
      expect(last).toContain(`${pages.length} of ${pages.length}`);
    }
  });

  it('is named a contract for readers and screen readers, and the same, byte for byte, whenever it is made', async () => {
    const bytes = await signed();
    expect((await getMeta(await getDocumentProxy(Uint8Array.from(bytes)))).info).toMatchObject({
      ...{ Title: 'Contract Q-2026-0042', Language: 'en-GB', CreationDate: 'D:20261125090000Z' },
    });
    expect(Buffer.compare(bytes, await signed())).toBe(0);
  });
});
