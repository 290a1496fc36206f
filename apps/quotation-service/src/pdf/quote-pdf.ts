import PDFDocument from 'pdfkit';
import type { QuoteDocument } from '../quotes/quote-document.ts';
import { formatsOf } from '../wording/formats.ts';
import { wordsOf, type Language, type Words } from '../wording/languages.ts';
import { fontsFor, type FontTexts } from './fonts.ts';
import { textsIn } from './glyphs.ts';
import { writeLetterhead } from './letterhead.ts';
import { logoPicture } from './logo-picture.ts';
import { writePackages } from './packages.ts';
import { printable } from './printable.ts';
import { Sheet, writeFooters } from './sheet.ts';
import { writeTotals } from './totals.ts';
import { Typesetter } from './typesetter.ts';

/** The input of a PDF. */
export interface QuoteToTypeset {
  readonly quote: QuoteDocument;
  readonly language: Language;
  /** The picture of `quote.seller.logo`. */
  readonly logo?: Uint8Array | undefined;
}

/** Typesets a quote. The same document gives the same bytes. */
export async function typesetQuote({ quote, language, logo }: QuoteToTypeset): Promise<Uint8Array> {
  const words = wordsOf(language);
  const spoken = { words, formats: formatsOf(quote, words.locale) };
  const doc = openDocument(quote, words);
  const bytes = collect(doc);
  const type = new Typesetter(doc, await fontsFor(textsOf(quote)));
  const sheet = new Sheet({ doc, type, quote, words });
  const picture = logo && (await logoPicture(logo));
  writeLetterhead(sheet, { quote, logo: picture }, spoken);
  writePackages(sheet, quote, spoken);
  writeTotals(sheet, quote, spoken);
  writeFooters(sheet, { quote, words });
  doc.end();
  return bytes;
}

/** The texts of a quote, of which some are set bold. */
function textsOf(quote: QuoteDocument): FontTexts {
  const { title, seller, customer, workPackages } = quote;
  const bold = [title, seller.name, customer.name, ...workPackages.map(({ name }) => name)];
  return { all: Array.from(textsIn(quote), printable), bold: bold.map(printable) };
}

function openDocument(quote: QuoteDocument, words: Words): PDFKit.PDFDocument {
  const date = new Date(quote.sentAt ?? quote.createdAt);
  return new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: words.locale,
    displayTitle: true,
    info: {
      Title: `${words.quote} ${quote.number}`,
      Author: quote.seller.name,
      Producer: 'Tenantry',
      Creator: 'Tenantry',
      // A constant, not the current time: the same document gives the same bytes.
      CreationDate: date,
      ModDate: date,
    },
  });
}

async function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk as Buffer);
  // A copy: a small Buffer is a view of a larger one.
  return Uint8Array.from(Buffer.concat(chunks));
}
