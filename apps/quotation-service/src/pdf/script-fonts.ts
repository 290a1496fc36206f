import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { faceOf, type Face, type Weight } from './face.ts';
import { joiners } from './printable.ts';

/** A font whose package splits it into files of characters that often occur together. */
interface ScriptFont {
  readonly name: string;
  /** The file of a character according to its package, although some files lack listed characters. */
  readonly files: ReadonlyMap<string, string>;
}

const scripts = [
  'arabic',
  'thai',
  'devanagari',
  'bengali',
  'gujarati',
  'gurmukhi',
  'oriya',
  'tamil',
  'telugu',
  'kannada',
  'malayalam',
  'sinhala',
  'khmer',
  'myanmar',
  'ethiopic',
  'thaana',
  'sc',
  'tc',
  'jp',
  'kr',
];
const names = [...scripts.map((script) => `noto-sans-${script}`), 'noto-emoji'];
/** Files of characters that the usual fonts have. */
const usualFiles = /latin|greek|cyrillic|vietnamese/;
// Chinese, Japanese and Korean share letters, and draw them in different ways.
const signs = [
  { first: 'noto-sans-jp', of: /[\p{sc=Hira}\p{sc=Kana}]/u },
  { first: 'noto-sans-kr', of: /\p{sc=Hang}/u },
];
/** Vowels around a letter that are drawn in parts, such as SARA AM of Thai and Lao. */
const inParts = /[\p{M}\u{E33}\u{EB3}]/u;
const axes: Readonly<Record<Weight, { readonly wght: number }>> = {
  regular: { wght: 400 },
  bold: { wght: 600 },
};

const { resolve } = createRequire(import.meta.url);
let loaded: readonly ScriptFont[] | undefined;
const known = new Map<string, Promise<ReadonlySet<number>>>();

function scriptFonts(): readonly ScriptFont[] {
  return (loaded ??= names.map((name) => {
    const folder = dirname(resolve(`@fontsource-variable/${name}/package.json`));
    const ranges = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
    const files = new Map<string, string>();
    for (const [key, range] of Object.entries(ranges)) {
      if (usualFiles.test(key)) continue;
      const file = join(folder, 'files', `${name}-${key.replace(/[[\]]/g, '')}-wght-normal.woff2`);
      for (const character of charactersOf(range)) files.set(character, file);
    }
    return { name, files };
  }));
}

/** `U+4E00,U+4E07-4E09` → its four characters. */
function* charactersOf(range: string): Generator<string> {
  for (const stretch of range.split(',')) {
    const [first = 0, last = first] = stretch
      .replace('U+', '')
      .split('-')
      .map((hex) => parseInt(hex, 16));
    for (let codePoint = first; codePoint <= last; codePoint += 1) yield String.fromCodePoint(codePoint);
  }
}

/** Maps characters to files. */
interface Placed {
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly missing: readonly string[];
}

/** Collects the characters of a document, which indicate its language. */
async function place(characters: ReadonlySet<string>): Promise<Placed> {
  const files = new Map<string, string[]>();
  const missing = new Set(characters);
  for (const font of characters.size > 0 ? inOrder([...characters].join('')) : []) {
    for (const character of missing) {
      const file = font.files.get(character);
      if (file === undefined || !(await codePointsOf(file)).has(character.codePointAt(0) ?? 0)) continue;
      missing.delete(character);
      files.set(file, [...(files.get(file) ?? []), character]);
    }
  }
  return { files, missing: [...missing] };
}

/** The fonts, that of the text's detected language first. */
function inOrder(text: string): readonly ScriptFont[] {
  const first = signs.find(({ of }) => of.test(text))?.first;
  return scriptFonts().toSorted((a, b) => Number(b.name === first) - Number(a.name === first));
}

/** Read once: a few milliseconds each, and some 60,000 code points of all files. */
function codePointsOf(file: string): Promise<ReadonlySet<number>> {
  const reading = known.get(file) ?? readCodePoints(file);
  known.set(file, reading);
  return reading;
}

async function readCodePoints(file: string): Promise<ReadonlySet<number>> {
  const { convert } = await import('fontverter');
  const font = create(await convert(await readFile(file), 'truetype')) as Font;
  return new Set(font.characterSet);
}

/** The characters that no font of a script has. */
export async function missingInScripts(characters: ReadonlySet<string>): Promise<readonly string[]> {
  return (await place(characters)).missing;
}

/** How characters are set: at a weight, and which of them bold. */
export async function scriptFaces(
  characters: ReadonlySet<string>,
  isBold: (character: string) => boolean,
): Promise<Record<Weight, Face[]>> {
  const faces: Record<Weight, Face[]> = { regular: [], bold: [] };
  for (const [file, some] of (await place(characters)).files) {
    faces.regular.push(await partOf(file, some, 'regular'));
    const bold = some.filter(isBold);
    if (bold.length > 0) faces.bold.push(await partOf(file, bold, 'bold'));
  }
  return faces;
}

/** Subsets a font at one weight: documents embed static fonts. */
async function partOf(file: string, characters: readonly string[], weight: Weight): Promise<Face> {
  // Loaded on demand: most documents only need the usual fonts.
  const { default: subsetFont } = await import('subset-font');
  const parts = characters
    .filter((character) => inParts.test(character))
    .map((vowel) => vowel.normalize('NFKD'));
  const text = [...characters, ...parts, ...joiners].join('');
  const data = await subsetFont(await readFile(file), text, {
    targetFormat: 'truetype',
    variationAxes: axes[weight],
  });
  return faceOf(`${file} ${weight}`, data);
}
