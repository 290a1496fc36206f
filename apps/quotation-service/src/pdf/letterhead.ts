import { shownEmail } from '@tenantry/text';
import type { Agreement, QuoteDocument } from '../quotes/quote-document.ts';
import type { Formats } from '../wording/formats.ts';
import { addressIn } from '../wording/countries.ts';
import type { Words } from '../wording/languages.ts';
import { column, halves, ink, styles, type Half, type Sheet } from './sheet.ts';
import type { Style } from './typesetter.ts';

const label: Style = { ...styles.text, color: ink.quiet };
const logoBox = { width: 170, height: 56 };

/** Writes the part above the packages: seller, customer, number, dates, title, description. */
export function writeLetterhead(sheet: Sheet, headed: Headed, { words, formats }: Spoken) {
  const { quote, logo, kind, agreement } = headed;
  sheet.sideBySide(
    () => {
      if (logo) drawLogo(sheet, logo);
      writeSeller(sheet, quote, words);
    },
    (place) => {
      const style: Style = { weight: 'bold', size: 16, color: ink.accent };
      sheet.write([quote.sentAt === null ? `${kind} · ${words.draft}` : kind], style, place);
    },
  );
  sheet.y += 26;
  sheet.sideBySide(
    (place) =>
      writeCustomer(sheet, quote, { place, words, label: agreement ? words.customer : words.preparedFor }),
    (place) => writeFacts(sheet, factsOf(headed, { words, formats }), place),
  );
  sheet.y += 24;
  writeTexts(sheet, quote);
}

/** What a letterhead shows. */
export interface Headed {
  readonly quote: QuoteDocument;
  readonly logo: Uint8Array | undefined;
  /** What the document is, in its language. */
  readonly kind: string;
  /** Of a contract. */
  readonly agreement: Agreement | undefined;
}

/** A document's language. */
export interface Spoken {
  readonly words: Words;
  readonly formats: Formats;
}

/** Missing in its types. */
type Opening = PDFKit.PDFDocument & {
  openImage(source: Buffer): { readonly width: number; readonly height: number };
};

/** Draws the picture at its own proportions within a box, and no larger than it is at 72 dots per inch. */
function drawLogo(sheet: Sheet, logo: Uint8Array) {
  const content = Buffer.from(logo);
  const picture = (sheet.doc as Opening).openImage(content);
  const scale = Math.min(1, logoBox.width / picture.width, logoBox.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  sheet.doc.image(content, column.left, sheet.y, { width, height });
  sheet.y += height + 10;
}

function writeSeller(sheet: Sheet, { seller }: QuoteDocument, words: Words) {
  const name: Style = { weight: 'bold', size: 14.5, color: ink.text };
  sheet.write(sheet.type.lines(seller.name, name, halves.width).slice(0, 4), name);
  if (!seller.address) return;
  sheet.y += 2;
  sheet.write(
    sheet.type.lines(addressIn(seller.address, words), styles.quiet, halves.width).slice(0, 10),
    styles.quiet,
  );
}

function writeCustomer(
  sheet: Sheet,
  { customer }: QuoteDocument,
  { place, words, label: whose }: { place: Half; words: Words; label: string },
) {
  sheet.write([whose], styles.label, place);
  sheet.y += 1;
  if (customer.name) {
    sheet.write(sheet.type.lines(customer.name, styles.strong, place.width), styles.strong, place);
  }
  if (customer.address) {
    const lines = sheet.type.lines(addressIn(customer.address, words), styles.text, place.width);
    sheet.write(lines.slice(0, 10), styles.text, place);
  }
  if (customer.email) {
    sheet.write(sheet.type.lines(shownEmail(customer.email), styles.text, place.width), styles.text, place);
  }
  if (customer.vatNumber) {
    const text = `${words.vatNumber} ${customer.vatNumber}`;
    sheet.write(sheet.type.lines(text, styles.text, place.width), styles.text, place);
  }
}

function factsOf({ quote, agreement }: Headed, { words, formats }: Spoken): (readonly [string, string])[] {
  return [
    [words.number, quote.number],
    ...(quote.revision > 1 ? [[words.revision, String(quote.revision)] as const] : []),
    [agreement ? words.quoted : words.date, formats.day(quote.sentAt ?? quote.createdAt)],
    agreement
      ? [words.accepted, formats.day(agreement.acceptedAt)]
      : [words.validUntil, formats.lastDay(quote.validUntil)],
  ];
}

function writeFacts(sheet: Sheet, facts: readonly (readonly [string, string])[], { x, width }: Half) {
  for (const [name, value] of facts) {
    const top = sheet.y;
    sheet.write([name], label, { x });
    sheet.y = top;
    const lines = sheet.type.lines(value, styles.text, width - 90);
    sheet.write(lines, styles.text, { x: x + 90, width: width - 90 });
  }
}

function writeTexts(sheet: Sheet, { title, description }: QuoteDocument) {
  sheet.write(sheet.type.lines(title, styles.title, column.width), styles.title);
  if (!description) return;
  sheet.y += 4;
  for (const line of sheet.type.lines(description, styles.text, column.width)) {
    sheet.keep(14);
    sheet.write([line], styles.text);
  }
}
