import type { QuoteDocument } from '../quotes/quote-document.ts';
import type { Words } from '../wording/languages.ts';
import { contentBytesMax, pagesMax, TooManyPages } from './pdf-size.ts';
import { leading, type Style, type Typesetter } from './typesetter.ts';

/** A4, in points. */
const page = { width: 595.28, height: 841.89 };
const margin = { side: 54, top: 54, bottom: 76 };

/** The column of all content. */
export const column = { left: margin.side, width: page.width - 2 * margin.side };

/** The columns of what stands side by side. */
export const halves = { gap: 24, width: (column.width - 24) / 2 };

/** One of them. */
export interface Half {
  readonly x: number;
  readonly width: number;
}

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
  /** What the document is, in its language. */
  readonly kind: string;
}

/** The pages of a document, written from top to bottom. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly #shown: Pick<SheetParts, 'quote' | 'words' | 'kind'>;
  /** The vertical position on the page. */
  y = 0;
  #pages = 0;
  #contentBytes = 0;

  /** Begins the first page. */
  constructor({ doc, type, ...shown }: SheetParts) {
    this.doc = doc;
    this.type = type;
    this.#shown = shown;
    this.turn();
  }

  /** The remaining height of the page. */
  room(): number {
    return page.height - margin.bottom - this.y;
  }

  /** Begins a page. @throws {TooManyPages} beyond the limit */
  turn(): void {
    const { quote, words } = this.#shown;
    if (this.#pages > 0) this.#contentBytes += joinContent(this.doc.page);
    if (this.#pages >= pagesMax || this.#contentBytes > contentBytesMax) throw new TooManyPages();
    this.doc.addPage({ size: [page.width, page.height], margin: 0 });
    this.#pages += 1;
    this.y = margin.top;
    if (quote.sentAt === null) drawDraft(this, words.draft);
    if (this.#pages > 1) this.#runningHead();
  }

  /** Begins a page unless this much room is left. */
  keep(height: number): void {
    if (height > this.room()) this.turn();
  }

  /** Writes lines below each other. */
  write(lines: readonly string[], style: Style, place: Partial<Place> = {}): void {
    const { x = column.left, width = column.width, align = 'left' } = place;
    for (const line of lines) {
      this.type.draw(line, style, { x, y: this.y + style.size * 1.05, width, align });
      this.y += heightOf(1, style);
    }
  }

  /** Draws a line across the column, or a part of it. */
  rule(color: string = ink.line, { x, width }: Half = { x: column.left, width: column.width }): void {
    this.doc.moveTo(x, this.y).lineTo(x + width, this.y);
    this.doc.lineWidth(0.6).strokeColor(color).stroke();
  }

  /** Writes two columns that begin at one height; what follows is below both. */
  sideBySide(left: (place: Half) => void, right: (place: Half) => void): void {
    const top = this.y;
    left({ x: column.left, width: halves.width });
    const bottom = this.y;
    this.y = top;
    right({ x: column.left + halves.width + halves.gap, width: halves.width });
    this.y = Math.max(bottom, this.y);
  }

  #runningHead(): void {
    const { quote, kind } = this.#shown;
    const half = column.width / 2 - 10;
    const left = this.type.oneLine(quote.title, styles.label, half);
    const right = this.type.oneLine(`${kind} ${quote.number}`, styles.label, half);
    const y = this.y + styles.label.size;
    this.type.draw(left, styles.label, { x: column.left, y });
    this.type.draw(right, styles.label, { x: column.left, y, width: column.width, align: 'right' });
    this.y += heightOf(1, styles.label) + 4;
    this.rule();
    this.y += 16;
  }
}

/** Missing in its types: the operators of a page, each in a buffer of its own. */
interface PageContent {
  buffer: Uint8Array[];
}

/** Joins the operators of a finished page into one buffer: hundreds of thousands of small ones take ten times the memory. */
function joinContent(page: PDFKit.PDFPage): number {
  const content = page.content as unknown as PageContent;
  const joined = Buffer.concat(content.buffer);
  content.buffer = [joined];
  return joined.length;
}

/** Writes the seller and the page number at the bottom of every page. */
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

/** Marks a page as a draft. */
function drawDraft({ doc, type }: Sheet, word: string) {
  const style: Style = { weight: 'bold', size: 130, color: ink.text };
  doc.save();
  doc.rotate(-52, { origin: [page.width / 2, page.height / 2] }).fillOpacity(0.05);
  type.draw(word, style, { x: (page.width - type.width(word, style)) / 2, y: page.height / 2 + 45 });
  doc.restore();
}
