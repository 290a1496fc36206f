import bidiFactory, { type Bidi } from 'bidi-js';
import type { Face, Weight } from './face.ts';
import { replacement, type Fonts } from './fonts.ts';
import { joiners } from './printable.ts';

/** A run of text in one font and direction, in drawing order from left to right. */
export interface Run {
  readonly text: string;
  readonly face: Face;
}

/** The fonts of a line. */
export interface SetIn {
  readonly fonts: Pick<Fonts, 'faceFor'>;
  readonly weight: Weight;
}

// Its types describe a module, but Node.js imports the factory itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Matches right-to-left characters. */
const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;

/** The runs of one line: fonts chosen by character, right-to-left writing in its place (UAX 9). */
export function runsOf(line: string, set: SetIn): Run[] {
  const pieces = rightToLeft.test(line)
    ? inVisualOrder(piecesOf(line, set, bidi.getEmbeddingLevels(line, 'auto').levels))
    : piecesOf(line, set);
  return pieces.map(({ text, face }) => ({ text, face }));
}

interface Piece extends Run {
  /** Odd from right to left. */
  readonly level: number;
}

function piecesOf(line: string, { fonts, weight }: SetIn, levels?: Uint8Array): Piece[] {
  const pieces: Piece[] = [];
  let open: { text: string; face: Face; level: number } | undefined;
  let at = 0;
  for (const character of line) {
    const level = levels?.[at] ?? 0;
    at += character.length;
    if (joiners.includes(character)) {
      if (open) open.text += character;
      continue;
    }
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const found = fonts.faceFor(weight, mirrored);
    const text = found ? mirrored : replacement;
    const face = found ?? fonts.faceFor(weight, replacement);
    if (!face) continue;
    // Words are set one by one, from left to right: right-to-left words are separate runs.
    const ends = level % 2 === 1 && (text === ' ' || open?.text === ' ');
    if (open?.face === face && open.level === level && !ends) open.text += text;
    else pieces.push((open = { text, face, level }));
  }
  return pieces;
}

/** Reverses every stretch of a level and above, from the highest to the lowest odd one (UAX 9, rule L2). */
function inVisualOrder(pieces: Piece[]): Piece[] {
  const highest = Math.max(...pieces.map(({ level }) => level));
  let ordered = pieces;
  for (let level = highest; level > 0; level -= 1) {
    const next: Piece[] = [];
    let stretch: Piece[] = [];
    for (const piece of ordered) {
      if (piece.level >= level) {
        stretch.unshift(piece);
        continue;
      }
      next.push(...stretch, piece);
      stretch = [];
    }
    ordered = [...next, ...stretch];
  }
  return ordered;
}
