import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { faceOf, type Face, type Weight } from './face.ts';
import { joiners } from './printable.ts';
import { scriptFaces } from './script-fonts.ts';

/** The fonts of a document. */
export interface Fonts {
  readonly faces: readonly Face[];
  /** The font of a character; undefined if no font has it. */
  readonly faceFor: (weight: Weight, character: string) => Face | undefined;
}

/** The printable texts of a document. */
export interface FontTexts {
  readonly all: Iterable<string>;
  /** Texts set in bold. */
  readonly bold: Iterable<string>;
}

/** Replaces a character that no font has. */
export const replacement = '\u{FFFD}';

// Source Sans is the main font: its digits have the same width, as columns need. DejaVu Sans adds characters such as Hebrew and
// symbols. Further scripts have fonts of their own.
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

/** DejaVu Sans lacks letters of Urdu, and the letters of a word need the same font to be joined. */
const arabic = /\p{scx=Arab}/u;

const { resolve } = createRequire(import.meta.url);
const loaded = new Map<Weight, readonly Face[]>();

/** The fonts that all documents are set in, the preferred one first; read from disk once. */
export function usualFaces(weight: Weight): readonly Face[] {
  const known = loaded.get(weight);
  if (known) return known;
  const faces = files[weight].map((file) => {
    const face = faceOf(file, readFileSync(resolve(file)));
    return { ...face, has: (character: string) => !arabic.test(character) && face.has(character) };
  });
  loaded.set(weight, faces);
  return faces;
}

/** The fonts for some texts: the usual ones, and parts of others for characters that these lack. */
export async function fontsFor(texts: FontTexts): Promise<Fonts> {
  const bold = unusual(texts.bold);
  const ofScripts = await scriptFaces(unusual(texts.all), (character) => bold.has(character));
  const faces = {
    regular: [...usualFaces('regular'), ...ofScripts.regular],
    bold: [...usualFaces('bold'), ...ofScripts.bold],
  };
  const choices = { regular: faces.regular, bold: [...faces.bold, ...faces.regular] };
  const chosen = { regular: new Map<string, Face | undefined>(), bold: new Map<string, Face | undefined>() };
  return {
    faces: [...faces.regular, ...faces.bold],
    faceFor(weight, character) {
      const known = chosen[weight];
      const face = known.get(character);
      if (face !== undefined || known.has(character)) return face;
      const found = choices[weight].find(({ has }) => has(character));
      known.set(character, found);
      return found;
    },
  };
}

/** The characters of some texts that the usual fonts lack. */
export function unusual(texts: Iterable<string>): Set<string> {
  const characters = new Set<string>();
  for (const text of texts) {
    for (const character of new Set(text)) if (character > '\u{17F}') characters.add(character);
  }
  for (const joiner of joiners) characters.delete(joiner);
  // A fast check: most texts have only such letters.
  if (characters.size === 0) return characters;
  const usual = usualFaces('regular');
  return new Set([...characters].filter((character) => !usual.some(({ has }) => has(character))));
}
