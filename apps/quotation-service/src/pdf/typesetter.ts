import type { Face, Weight } from './face.ts';
import type { Fonts } from './fonts.ts';
import { printable } from './printable.ts';
import { runsOf } from './runs.ts';

/** How a text is set. */
export interface Style {
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
  readonly color: string;
}

/** Where a line stands. */
export interface Spot {
  readonly x: number;
  /** Of its baseline. */
  readonly y: number;
  /** The column that an aligned line stands in. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

/** Line to line, in sizes of the text. */
export const leading = 1.35;

/** Characters of words whose shapes are cached; beyond that, words are shaped again. They take some 500 bytes each. */
const knownCharactersMax = 100_000;

// Chinese and Japanese have no spaces: lines break between letters, but never before closing or after opening punctuation.
const ideograph = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`;
/** Where a line may end: after a space, within a word after a hyphen or a slash, and around a Chinese letter. */
const lineEnds = new RegExp(
  String.raw`(?<=\s|\p{L}[-–/])(?!\s)|(?<=${ideograph}|[、。，．！？：；）」』】])(?=${ideograph}|[（「『【])`,
  'u',
);

/** Scripts without spaces, whose word boundaries require a dictionary. */
const unspaced = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A font of pdfkit, which keeps the shape of every word for as long as the document is made. */
interface KnownShapes {
  layoutCache: object;
  readonly font: { layout: Face['shape'] };
}

/** Breaks the texts of one document into lines and draws them. */
export class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #fonts: Fonts;
  readonly #used = new Set<KnownShapes>();
  #known = 0;

  constructor(doc: PDFKit.PDFDocument, fonts: Fonts) {
    this.#doc = doc;
    this.#fonts = fonts;
    for (const face of fonts.faces) doc.registerFont(face.name, face.data);
  }

  width(line: string, style: Style): number {
    let sum = 0;
    for (const { text, face } of runsOf(line, { fonts: this.#fonts, weight: style.weight })) {
      sum += this.#measure(text, style, face);
    }
    return sum;
  }

  /** Breaks a text, however hostile, into lines that are no wider. At least one, which may be empty. */
  lines(text: string, style: Style, widthMax: number): string[] {
    return printable(text)
      .split('\n')
      .flatMap((paragraph) => breakParagraph(paragraph, (part) => this.width(part, style), widthMax));
  }

  /** Breaks a text and keeps the first line, with an ellipsis when there is more. */
  oneLine(text: string, style: Style, widthMax: number): string {
    const flat = text.replace(/\s+/g, ' ');
    const [all = '', more] = this.lines(flat, style, widthMax);
    if (more === undefined) return all;
    const [start = ''] = this.lines(flat, style, widthMax - this.width('…', style));
    return `${start}…`;
  }

  draw(line: string, style: Style, { x, y, width: column = 0, align = 'left' }: Spot): void {
    let at = align === 'right' ? x + column - this.width(line, style) : x;
    this.#doc.fillColor(style.color);
    for (const { text, face } of runsOf(line, { fonts: this.#fonts, weight: style.weight })) {
      const advance = this.#measure(text, style, face);
      this.#doc.text(text, at, y, { lineBreak: false, baseline: 'alphabetic' });
      at += advance;
    }
  }

  /** Selects a font for measuring and drawing. */
  #measure(text: string, { size }: Style, face: Face): number {
    this.#doc.font(face.name).fontSize(size);
    const font = (this.#doc as unknown as { readonly _font: KnownShapes })._font;
    this.#used.add(font);
    font.font.layout = face.shape;
    this.#known += text.length;
    if (this.#known > knownCharactersMax) {
      for (const font of this.#used) font.layoutCache = {};
      this.#known = text.length;
    }
    return this.#doc.widthOfString(text);
  }
}

/** Splits text where a line may end. */
const wordsOf = (stretch: string): string[] =>
  unspaced.test(stretch) ? Array.from(words.segment(stretch), ({ segment }) => segment) : [stretch];

/** Fills line after line. A word that is wider than a line is broken between characters. */
function breakParagraph(paragraph: string, measure: (part: string) => number, widthMax: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const put = (part: string, partWidth: number) => {
    if (line !== '' && used + partWidth > widthMax) {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    line += part;
    used += partWidth;
  };
  for (const word of paragraph.split(lineEnds).flatMap(wordsOf)) {
    // With the following space, as it is drawn, so that it is shaped only once.
    const blank = measure(word.slice(word.trimEnd().length));
    const bare = measure(word) - blank;
    if (bare <= widthMax) {
      put(word, bare);
      used += blank;
    } else {
      for (const { segment } of graphemes.segment(word)) put(segment, measure(segment));
    }
  }
  return [...lines, line.trimEnd()];
}
