import { describe, expect, it } from 'vitest';
import { typesetQuote } from '../../src/pdf/quote-pdf.ts';
import type { QuoteDocument } from '../../src/quotes/quote-document.ts';
import type { Language } from '../../src/wording/languages.ts';
import { linesOf, sampleQuote } from '../fixtures/sample-quote.ts';
import { textOfPages } from '../support/pdf-text.ts';

const pagesOf = async (quote: QuoteDocument, language: Language = 'en') =>
  textOfPages(await typesetQuote({ quote, language }));

describe('the PDF of a quote', () => {
  it('shows seller, customer, number, dates and validity', async () => {
    const [page] = await pagesOf(sampleQuote());
    for (const text of [
      'Åkessons Bygg & Måleri AB',
      'Storgatan 12',
      'SE556677889901',
      'Brf Näckrosen 7',
      'Q-2026-0042',
      '21 November 2026',
      'This quote is valid until 20 December 2026.',
    ]) {
      expect(page).toContain(text);
    }
  });

  it('shows where its customer is, with the country in its language, and their VAT number', async () => {
    const quote = sampleQuote();
    const whereabouts = { address: 'Storgatan 5\n415 02 Göteborg\nSweden', vatNumber: 'SE556012579001' };
    const customer = { ...quote.customer, ...whereabouts };
    const [page] = await pagesOf({ ...quote, customer }, 'sv');
    const block = `${customer.name} Storgatan 5 415 02 Göteborg Sverige ${customer.email} Momsreg.nr SE556012579001`;
    expect(page).toContain(block);
  });

  it('shows an address at an international domain as people write it', async () => {
    const quote = sampleQuote();
    const customer = { ...quote.customer, email: 'max@xn--mller-dach-9db.example' };
    const [page] = await pagesOf({ ...quote, customer });
    expect(page).toContain('max@müller-dach.example');
  });

  it('shows the totals of the document, written as its language has them', async () => {
    const quote = sampleQuote([
      {
        name: 'Kitchen',
        items: [
          { quantity: 7.25, unitPrice: 485.5 },
          { quantity: 10.0005, unitPrice: 12.3456 },
        ],
      },
      { name: 'Hall', items: [{ quantity: 2.675, unitPrice: 1 }] },
    ]);
    expect(quote).toMatchObject({ subtotal: 3646.02, vatAmount: 911.51, totalAmount: 4557.53 });
    const [english] = await pagesOf(quote);
    for (const amount of [
      '3,519.88',
      '123.46',
      '2.68',
      '3,643.34',
      'SEK 3,646.02',
      'SEK 911.51',
      'SEK 4,557.53',
    ]) {
      expect(english).toContain(amount);
    }
    expect(english).toContain('10.0005 hours 12.3456 123.46');
    const [swedish] = await pagesOf(quote, 'sv');
    for (const amount of ['3 519,88', '3 646,02 SEK', 'Moms 25 %', '911,51 SEK', '4 557,53 SEK']) {
      expect(swedish).toContain(amount);
    }
  });

  it('shows amounts in the decimals of the currency', async () => {
    const quote = sampleQuote([{ name: 'Tea house', items: [{ quantity: 3, unitPrice: 1200 }] }], {
      currency: 'JPY',
    });
    const [page] = await pagesOf(quote);
    expect(page).toContain('JPY 4,500');
    expect(page).not.toContain('4,500.00');
  });

  it('says why no VAT is charged', async () => {
    const reason = 'Reverse charge: the customer accounts for VAT.';
    const [page] = await pagesOf(sampleQuote(undefined, { vatRate: 0, vatExemptionReason: reason }));
    expect(page).toContain(reason);
  });

  it('shows each of 500 lines once, under a head on every page, the pages numbered', async () => {
    const pages = await pagesOf(sampleQuote([{ name: 'Everything', items: linesOf(500) }]));
    const tasks = pages.flatMap((page) =>
      [...page.matchAll(/Task (\d+) of many/g)].map(([, task]) => Number(task)),
    );
    expect(tasks).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`${index + 1} of ${pages.length}`);
      if (page.includes('Task'))
        expect(page).toMatch(/Everything .*Description Quantity Unit price Amount.* Task/);
    }
    expect(pages.at(-1)).toContain('Total');
  });

  it('keeps the head of a package on the page of its first line, wherever the page ends', async () => {
    for (let before = 10; before < 40; before += 1) {
      const quote = sampleQuote([
        { name: 'First package', items: linesOf(before) },
        { name: 'Second package', description: 'In two parts.', items: [{ description: 'The beginning' }] },
      ]);
      const page = (await pagesOf(quote)).find((text) => text.includes('Second package'));
      expect(page).toContain('The beginning');
    }
  });

  it('breaks a text that is longer than a page, and loses nothing of it', async () => {
    const words = Array.from({ length: 800 }, (_, index) => `word${index}`);
    const quote = sampleQuote([
      { name: 'Long', items: [{ description: words.join(' ') }, { description: 'Short' }] },
    ]);
    const text = (await pagesOf(quote)).join(' ');
    expect([...text.matchAll(/word(\d+)/g)].map(([word]) => word)).toEqual(words);
  });

  it('breaks writing without spaces between words, and Chinese never before what closes', async () => {
    const quote = sampleQuote([
      { name: 'P', items: [{ description: 'สำนักงาน'.repeat(40) }, { description: '漢。'.repeat(300) }] },
    ]);
    const office = 'สำนักงาน'.normalize('NFKD');
    const text = (await pagesOf(quote)).join(' ');
    const thai = text.match(/[\u{E00}-\u{E7F}]+/gu) ?? [];
    expect(thai.length).toBeGreaterThan(3);
    expect(thai.join('')).toBe(office.repeat(40));
    for (const line of thai) expect(line.replaceAll(office, '')).toBe('');
    expect(text.match(/ 。/)).toBeNull();
    expect(text.match(/。/g)).toHaveLength(300);
  });

  it('breaks a word that is wider than its column', async () => {
    const word = 'Ж'.repeat(5_000);
    const pages = await pagesOf(
      sampleQuote([{ name: 'W'.repeat(200), items: [{ description: word, unit: 'W'.repeat(20) }] }]),
    );
    expect(pages.join('').match(/Ж/g)).toHaveLength(5_000);
  });

  it('shows letters of many scripts, and a mark for what no font has', async () => {
    const [page] = await pagesOf(
      sampleQuote(undefined, { title: 'Åäö é € ² Łódź Ωμέγα Москва 漢字 한국어 ไทย ᚠ' }),
    );
    expect(page).toContain('Åäö é € ² Łódź Ωμέγα Москва 漢字 한국어 ไทย \u{FFFD}');
  });

  it('shows no control characters and obeys no overrides of direction', async () => {
    const [page] = await pagesOf(
      sampleQuote(undefined, { title: 'to\u0000tal\u0007 \u{202E}00.1\u{202C} \u{D800} end' }),
    );
    expect(page).toContain('total 00.1 \u{FFFD} end');
  });

  it('marks every page of a draft', async () => {
    const draft = sampleQuote([{ name: 'All', items: linesOf(60) }], { status: 'draft', sentAt: null });
    const pages = await pagesOf(draft);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page).toContain('Draft');
    for (const page of await pagesOf(sampleQuote())) expect(page).not.toContain('Draft');
  });

  it('is the same, byte for byte, whenever it is made of the same document', async () => {
    const first = await typesetQuote({ quote: sampleQuote(), language: 'en' });
    expect(Buffer.compare(first, await typesetQuote({ quote: sampleQuote(), language: 'en' }))).toBe(0);
  });

  it('can be made of a quote without a line', async () => {
    const [page] = await pagesOf(sampleQuote([]));
    expect(page).toContain('SEK 0.00');
  });
});
