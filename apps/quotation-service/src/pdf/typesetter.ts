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

/** Breaks texts into lines and draws them. */
export interface Typesetter {
  readonly width: (line: string, style: Style) => number;
  /** Breaks a text, however hostile, into lines that are no wider. At least one, which may be empty. */
  readonly lines: (text: string, style: Style, width: number) => string[];
  /** Breaks a text and keeps the first line, with an ellipsis when there is more. */
  readonly oneLine: (text: string, style: Style, width: number) => string;
  readonly draw: (line: string, style: Style, spot: Spot) => void;
}

/** Line to line, in sizes of the text. */
export const leading = 1.35;

/** How many characters of words are known by their shapes; more are shaped again. They take some 500 bytes each. */
const knownCharactersMax = 100_000;

// Chinese and Japanese have no spaces: between their letters, but never before what closes or after what opens.
const ideograph = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`;
/** Where a line may end: after a space, within a word after a hyphen or a slash, and around a Chinese letter. */
const lineEnds = new RegExp(
  String.raw`(?<=\s|\p{L}[-–/])(?!\s)|(?<=${ideograph}|[、。，．！？：；）」』】])(?=${ideograph}|[（「『【])`,
  'u',
);

/** Writing without spaces, whose words only a dictionary tells. */
const unspaced = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A font of pdfkit, which keeps the shape of every word for as long as the document is made. */
interface KnownShapes {
  layoutCache: object;
  readonly font: { layout: Face['shape'] };
}

/** Makes a typesetter for one document. */
export function createTypesetter(doc: PDFKit.PDFDocument, fonts: Fonts): Typesetter {
  for (const face of fonts.faces) doc.registerFont(face.name, face.data);
  const used = new Set<KnownShapes>();
  let known = 0;

  /** Measures in a font, and draws in it what follows. */
  function measure(text: string, { size }: Style, face: Face): number {
    doc.font(face.name).fontSize(size);
    const font = (doc as unknown as { readonly _font: KnownShapes })._font;
    used.add(font);
    font.font.layout = face.shape;
    known += text.length;
    if (known > knownCharactersMax) {
      for (const font of used) font.layoutCache = {};
      known = text.length;
    }
    return doc.widthOfString(text);
  }

  function width(line: string, style: Style): number {
    let sum = 0;
    for (const { text, face } of runsOf(line, { fonts, weight: style.weight })) {
      sum += measure(text, style, face);
    }
    return sum;
  }

  function lines(text: string, style: Style, widthMax: number): string[] {
    return printable(text)
      .split('\n')
      .flatMap((paragraph) => breakParagraph(paragraph, (part) => width(part, style), widthMax));
  }

  return {
    width,
    lines,

    oneLine(text, style, widthMax) {
      const flat = text.replace(/\s+/g, ' ');
      const [all = '', more] = lines(flat, style, widthMax);
      if (more === undefined) return all;
      const [start = ''] = lines(flat, style, widthMax - width('…', style));
      return `${start}…`;
    },

    draw(line, style, { x, y, width: column = 0, align = 'left' }) {
      let at = align === 'right' ? x + column - width(line, style) : x;
      doc.fillColor(style.color);
      for (const { text, face } of runsOf(line, { fonts, weight: style.weight })) {
        const advance = measure(text, style, face);
        doc.text(text, at, y, { lineBreak: false, baseline: 'alphabetic' });
        at += advance;
      }
    },
  };
}

/** The parts of a stretch of text between which a line may end. */
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
    // With the space after it, as it is drawn: what is measured so is shaped once.
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
