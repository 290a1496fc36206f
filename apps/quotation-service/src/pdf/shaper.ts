import type { Font } from 'fontkit';
import * as harfbuzz from 'harfbuzzjs';

/** A glyph of a text, and the code points for copying it. */
export interface ShapedGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

/** The glyphs of a text from left to right, in font units, in pdfkit's form. */
export interface ShapedRun {
  readonly glyphs: readonly ShapedGlyph[];
  /** pdfkit scales them in place. */
  readonly positions: harfbuzz.GlyphPosition[];
  /** The sum of the scaled `positions`. */
  readonly advanceWidth: number;
}

type Positioned = harfbuzz.GlyphInfo & harfbuzz.GlyphPosition;

// One for all texts: its memory is outside of JavaScript, and that of many would be released only after a document.
const buffer = new harfbuzz.Buffer();

/**
 * Chooses and places the glyphs of texts, as HarfBuzz does. fontkit, which pdfkit uses by itself, misplaces vowels of
 * Bengali and Burmese and fails on Gujarati.
 */
export class Shaper {
  readonly #font: Font;
  readonly #shaping: harfbuzz.Font;
  readonly #usualPoints = new Map<number, number[]>();

  constructor(font: Font, data: Uint8Array) {
    this.#font = font;
    this.#shaping = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(data), 0));
  }

  shape(text: string): ShapedRun {
    buffer.clearContents();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(this.#shaping, buffer);
    const shaped = buffer.getGlyphInfosAndPositions() as Positioned[];
    const codePoints = this.#codePointsOf(text, shaped);
    const positions = shaped.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
      xAdvance,
      yAdvance,
      xOffset,
      yOffset,
    }));
    return {
      glyphs: shaped.map(({ codepoint: id }, index) => ({
        id,
        advanceWidth: this.#font.getGlyph(id).advanceWidth,
        codePoints: codePoints[index] ?? [],
      })),
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  }

  /** The code points of a single glyph; the rest of a cluster goes to its first other glyph. */
  #codePointsOf(text: string, shaped: readonly Positioned[]): number[][] {
    const starts = [...new Set(shaped.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
    const left = new Map(
      starts.map((start, index) => [start, pointsOf(text.slice(start, starts[index + 1]))] as const),
    );
    const own = shaped.map(({ codepoint: id, cluster }) => {
      const points = left.get(cluster) ?? [];
      const at = points.findIndex((point) => this.#font.glyphForCodePoint(point).id === id);
      return at < 0 ? this.#usualPointsOf(id) : points.splice(at, 1);
    });
    return shaped.map(({ cluster }, index) => own[index] ?? left.get(cluster)?.splice(0) ?? []);
  }

  #usualPointsOf(id: number): number[] | undefined {
    const known = this.#usualPoints.get(id);
    if (known) return known;
    const [usual] = this.#font.stringsForGlyph(id);
    if (usual === undefined) return undefined;
    // Not Unicode's compatibility forms, such as those of Arabic letters.
    const points = pointsOf(usual.normalize('NFKC'));
    this.#usualPoints.set(id, points);
    return points;
  }
}

const pointsOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
