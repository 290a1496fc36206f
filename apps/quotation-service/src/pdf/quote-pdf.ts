import PDFDocument from 'pdfkit';
import type { Agreement, QuoteDocument } from '../quotes/quote-document.ts';
import { formatsOf } from '../wording/formats.ts';
import { wordsOf, type Language, type Words } from '../wording/languages.ts';
import { writeAgreement } from './agreement.ts';
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
  /** Makes it the contract of the quote. */
  readonly agreement?: Agreement | undefined;
}

/** Typesets a quote, or the contract of one. The same document gives the same bytes. */
export async function typesetQuote(given: QuoteToTypeset): Promise<Uint8Array> {
  const { quote, language, logo, agreement } = given;
  const words = wordsOf(language);
  const spoken = { words, formats: formatsOf(quote, words.locale) };
  const kind = agreement ? words.contract : words.quote;
  const doc = openDocument(given, { words, kind });
  const bytes = collect(doc);
  const type = new Typesetter(doc, await fontsFor(textsOf(given)));
  const sheet = new Sheet({ doc, type, quote, words, kind });
  const picture = logo && (await logoPicture(logo));
  writeLetterhead(sheet, { quote, logo: picture, kind, agreement }, spoken);
  writePackages(sheet, quote, spoken);
  writeTotals(sheet, { quote, agreement }, spoken);
  if (agreement) writeAgreement(sheet, { quote, agreement }, spoken);
  writeFooters(sheet, { quote, words });
  doc.end();
  return bytes;
}

/** The texts of a quote, of which some are set bold. */
function textsOf({ quote, agreement }: QuoteToTypeset): FontTexts {
  const { title, seller, customer, workPackages } = quote;
  const bold = [title, seller.name, customer.name, ...workPackages.map(({ name }) => name)];
  return { all: Array.from(textsIn([quote, agreement]), printable), bold: bold.map(printable) };
}

function openDocument(
  { quote, agreement }: QuoteToTypeset,
  { words, kind }: { readonly words: Words; readonly kind: string },
): PDFKit.PDFDocument {
  const date = new Date(agreement?.createdAt ?? quote.sentAt ?? quote.createdAt);
  return new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: words.locale,
    displayTitle: true,
    info: {
      Title: `${kind} ${quote.number}`,
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
