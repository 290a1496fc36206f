import { create, type Font } from 'fontkit';
import { Shaper, type ShapedRun } from './shaper.ts';

/** How heavy a text is set. */
export type Weight = 'regular' | 'bold';

/** A font as documents embed it, in part: only the glyphs they use. */
export interface Face {
  /** By which a document knows it. */
  readonly name: string;
  readonly data: Uint8Array;
  readonly has: (character: string) => boolean;
  readonly shape: (text: string) => ShapedRun;
}

/** A font of its file. */
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
