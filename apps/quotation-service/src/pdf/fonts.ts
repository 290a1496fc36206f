import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

/** How heavy a text is set. */
export type Weight = 'regular' | 'bold';

/** A font as documents embed it, in part: only the glyphs they use. */
export interface Face {
  /** By which a document knows it. */
  readonly name: string;
  readonly data: Buffer;
  readonly has: (codePoint: number) => boolean;
}

/** Stands for a character that no font has. */
export const replacement = '\u{FFFD}';

// Source Sans is what documents look like: its digits have one width, as columns need. DejaVu Sans has what it lacks,
// such as Hebrew, Arabic and symbols.
const files: Readonly<Record<Weight, readonly string[]>> = {
  regular: [
    '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  ],
  bold: [
    '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  ],
};

const { resolve } = createRequire(import.meta.url);
const loaded = new Map<Weight, readonly Face[]>();

/** The fonts of a weight, the preferred one first; read from disk once. */
export function facesOf(weight: Weight): readonly Face[] {
  const known = loaded.get(weight);
  if (known) return known;
  const faces = files[weight].map((file) => {
    const data = readFileSync(resolve(file));
    const font = create(data) as Font;
    return { name: file, data, has: (codePoint: number) => font.hasGlyphForCodePoint(codePoint) };
  });
  loaded.set(weight, faces);
  return faces;
}

/** The first font of a weight that has a character; the first of all for one that none has. */
export function faceFor(weight: Weight, character: string): Face | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  return facesOf(weight).find((face) => face.has(codePoint));
}
