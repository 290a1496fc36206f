import { shownEmail } from '@tenantry/text';
import type { QuoteDocument } from '../quotes/quote-document.ts';
import type { Formats } from '../wording/formats.ts';
import { addressIn } from '../wording/countries.ts';
import type { Words } from '../wording/languages.ts';
import { column, ink, styles, type Sheet } from './sheet.ts';
import type { Style } from './typesetter.ts';

const label: Style = { ...styles.text, color: ink.quiet };
const logoBox = { width: 170, height: 56 };
const halves = { gap: 24, width: (column.width - 24) / 2 };

/** Writes the part above the packages: seller, customer, number, dates, title, description. */
export function writeLetterhead(sheet: Sheet, { quote, logo }: Headed, { words, formats }: Spoken) {
  sideBySide(
    sheet,
    () => {
      if (logo) drawLogo(sheet, logo);
      writeSeller(sheet, quote, words);
    },
    (place) => {
      const kind: Style = { weight: 'bold', size: 16, color: ink.accent };
      sheet.write([quote.sentAt === null ? `${words.quote} · ${words.draft}` : words.quote], kind, place);
    },
  );
  sheet.y += 26;
  sideBySide(
    sheet,
    (place) => writeCustomer(sheet, quote, { place, words }),
    (place) => writeFacts(sheet, factsOf(quote, { words, formats }), place),
  );
  sheet.y += 24;
  writeTexts(sheet, quote);
}

/** What a letterhead shows. */
export interface Headed {
  readonly quote: QuoteDocument;
  readonly logo: Uint8Array | undefined;
}

/** A document's language. */
export interface Spoken {
  readonly words: Words;
  readonly formats: Formats;
}

interface Half {
  readonly x: number;
  readonly width: number;
}

function sideBySide(sheet: Sheet, left: (place: Half) => void, right: (place: Half) => void) {
  const top = sheet.y;
  left({ x: column.left, width: halves.width });
  const bottom = sheet.y;
  sheet.y = top;
  right({ x: column.left + halves.width + halves.gap, width: halves.width });
  sheet.y = Math.max(bottom, sheet.y);
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
  { place, words }: { place: Half; words: Words },
) {
  sheet.write([words.preparedFor], styles.label, place);
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

function factsOf(quote: QuoteDocument, { words, formats }: Spoken): (readonly [string, string])[] {
  return [
    [words.number, quote.number],
    ...(quote.revision > 1 ? [[words.revision, String(quote.revision)] as const] : []),
    [words.date, formats.day(quote.sentAt ?? quote.createdAt)],
    [words.validUntil, formats.lastDay(quote.validUntil)],
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
