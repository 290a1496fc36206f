import type { QuoteDocument } from '../quotes/quote-document.ts';
import type { Words } from '../wording/languages.ts';
import { contentBytesMax, pagesMax, TooManyPages } from './pdf-size.ts';
import { leading, type Style, type Typesetter } from './typesetter.ts';

/** A4, in points. */
const page = { width: 595.28, height: 841.89 };
const margin = { side: 54, top: 54, bottom: 76 };

/** The column that everything stands in. */
export const column = { left: margin.side, width: page.width - 2 * margin.side };

/** Colors of ink. */
export const ink = { text: '#1c2530', quiet: '#5d6875', accent: '#1d4f7c', line: '#d7dde3' };

/** Styles of text. */
export const styles = {
  title: { weight: 'bold', size: 22, color: ink.text },
  heading: { weight: 'bold', size: 12.5, color: ink.accent },
  strong: { weight: 'bold', size: 10.5, color: ink.text },
  text: { weight: 'regular', size: 10.5, color: ink.text },
  quiet: { weight: 'regular', size: 9.5, color: ink.quiet },
  label: { weight: 'regular', size: 9, color: ink.quiet },
} as const satisfies Record<string, Style>;

/** The pages of a document, written from top to bottom. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  /** Down to where the page is written. */
  y: number;
  /** How much room is left on the page. */
  readonly room: () => number;
  /** Begins a page. @throws {TooManyPages} when there are as many as there may be */
  readonly turn: () => void;
  /** Begins a page unless this much room is left. */
  readonly keep: (height: number) => void;
  /** Writes lines below each other. */
  readonly write: (lines: readonly string[], style: Style, at?: Partial<Place>) => void;
  /** Draws a line across the column. */
  readonly rule: (color?: string) => void;
}

/** Where lines are written, if not across the whole column. */
export interface Place {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

/** How high lines of a style are. */
export const heightOf = (lines: number, { size }: Style) => lines * size * leading;

interface SheetParts {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly quote: QuoteDocument;
  readonly words: Words;
}

/** Makes the first page. */
export function createSheet({ doc, type, quote, words }: SheetParts): Sheet {
  let pages = 0;
  let contentBytes = 0;

  function turn() {
    if (pages > 0) contentBytes += joinContent(doc.page);
    if (pages >= pagesMax || contentBytes > contentBytesMax) throw new TooManyPages();
    doc.addPage({ size: [page.width, page.height], margin: 0 });
    pages += 1;
    sheet.y = margin.top;
    if (quote.sentAt === null) drawDraft(sheet, words.draft);
    if (pages > 1) runningHead();
  }

  function runningHead() {
    const half = column.width / 2 - 10;
    const left = type.oneLine(quote.title, styles.label, half);
    const right = type.oneLine(`${words.quote} ${quote.number}`, styles.label, half);
    const y = sheet.y + styles.label.size;
    type.draw(left, styles.label, { x: column.left, y });
    type.draw(right, styles.label, { x: column.left, y, width: column.width, align: 'right' });
    sheet.y += heightOf(1, styles.label) + 4;
    sheet.rule();
    sheet.y += 16;
  }

  const sheet: Sheet = {
    doc,
    type,
    y: 0,
    room: () => page.height - margin.bottom - sheet.y,
    turn,
    keep: (height) => {
      if (height > sheet.room()) turn();
    },
    write: (lines, style, { x = column.left, width = column.width, align = 'left' } = {}) => {
      for (const line of lines) {
        type.draw(line, style, { x, y: sheet.y + style.size * 1.05, width, align });
        sheet.y += heightOf(1, style);
      }
    },
    rule: (color = ink.line) => {
      doc.moveTo(column.left, sheet.y).lineTo(column.left + column.width, sheet.y);
      doc.lineWidth(0.6).strokeColor(color).stroke();
    },
  };
  turn();
  return sheet;
}

/** What its types leave out: the operators of a page, each in a buffer of its own. */
interface PageContent {
  buffer: Uint8Array[];
}

/** Puts what a finished page says into one buffer: hundreds of thousands of small ones take ten times the memory. */
function joinContent(page: PDFKit.PDFPage): number {
  const content = page.content as unknown as PageContent;
  const joined = Buffer.concat(content.buffer);
  content.buffer = [joined];
  return joined.length;
}

/** Writes who offers and the number of the page under every page. */
export function writeFooters({ doc, type }: Sheet, { quote, words }: Pick<SheetParts, 'quote' | 'words'>) {
  const { start, count } = doc.bufferedPageRange();
  const { name, vatNumber } = quote.seller;
  const seller = vatNumber ? `${name}  ·  ${words.vatNumber} ${vatNumber}` : name;
  const y = page.height - margin.bottom + 34;
  const line = type.oneLine(seller, styles.label, column.width - 80);
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(start + index);
    doc.moveTo(column.left, y - 16).lineTo(column.left + column.width, y - 16);
    doc.lineWidth(0.6).strokeColor(ink.line).stroke();
    type.draw(line, styles.label, { x: column.left, y });
    const number = words.page(index + 1, count);
    type.draw(number, styles.label, { x: column.left, y, width: column.width, align: 'right' });
  }
}

/** Marks a page that is not an offer yet. */
function drawDraft({ doc, type }: Sheet, word: string) {
  const style: Style = { weight: 'bold', size: 130, color: ink.text };
  doc.save();
  doc.rotate(-52, { origin: [page.width / 2, page.height / 2] }).fillOpacity(0.05);
  type.draw(word, style, { x: (page.width - type.width(word, style)) / 2, y: page.height / 2 + 45 });
  doc.restore();
}
