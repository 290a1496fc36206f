import { create, type Font } from 'fontkit';
import { Shaper, type ShapedRun } from './shaper.ts';

/** The weight of a font. */
export type Weight = 'regular' | 'bold';

/** A font as documents embed it, in part: only the glyphs they use. */
export interface Face {
  /** Its name in a document. */
  readonly name: string;
  readonly data: Uint8Array;
  readonly has: (character: string) => boolean;
  readonly shape: (text: string) => ShapedRun;
}

/** A font from a file. */
export function faceOf(name: string, data: Buffer): Face {
  const font = create(data) as Font;
  const shaper = new Shaper(font, data);
  return {
    name,
    data,
    has: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    shape: (text) => shaper.shape(text),
  };
}
