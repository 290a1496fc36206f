import { isUtf8 } from 'node:buffer';
import { piecesFrom, type FileBytes } from './file-bytes.ts';

/** How bytes are letters; `mixed` decides line by line between the first and the last. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'mixed'] as const;
export type Encoding = (typeof encodings)[number];

/** What was found out about the bytes of a text file. */
export interface FoundEncoding {
  readonly encoding: Encoding;
  /** Whether a byte order mark says so. */
  readonly isMarked: boolean;
  /** Whether it is only what is usual: bytes that are no UTF-8 could be of any old encoding. */
  readonly isGuess: boolean;
  /** The first line that is not UTF-8, of a file that is elsewhere. */
  readonly mixedFrom?: number;
}

const sampleBytes = 64 * 1024;
const lineFeed = 0x0a;

/** Finds out how the bytes of a text file are to be read, looking at all of them. */
export async function findEncoding(bytes: FileBytes): Promise<FoundEncoding> {
  const begin = await bytes.read(0, sampleBytes);
  const marked = encodingOfMark(begin);
  if (marked) return { encoding: marked, isMarked: true, isGuess: false };
  const wide = wideEncodingOf(begin);
  if (wide) return { encoding: wide, isMarked: false, isGuess: false };
  if (await isAllUtf8(bytes)) return { encoding: 'utf-8', isMarked: false, isGuess: false };
  let [line, utf8, firstOther] = [0, 0, 0];
  for await (const text of linesOf(piecesFrom(bytes, 0))) {
    line += 1;
    if (isAscii(text)) continue;
    if (isUtf8(text)) utf8 += 1;
    else firstOther ||= line;
  }
  return utf8 > 0
    ? { encoding: 'mixed', isMarked: false, isGuess: true, mixedFrom: firstOther }
    : { encoding: 'windows-1252', isMarked: false, isGuess: true };
}

function encodingOfMark(begin: Buffer): Encoding | undefined {
  if (begin[0] === 0xef && begin[1] === 0xbb && begin[2] === 0xbf) return 'utf-8';
  if (begin[0] === 0xff && begin[1] === 0xfe) return 'utf-16le';
  return begin[0] === 0xfe && begin[1] === 0xff ? 'utf-16be' : undefined;
}

/** UTF-16 without a mark: what separates cells and lines in any script has a NUL on one side, always the same. */
function wideEncodingOf(begin: Buffer): Encoding | undefined {
  let [little, big] = [0, 0];
  for (let at = 0; at + 1 < begin.length; at += 2) {
    const [first = 0, second = 0] = [begin[at], begin[at + 1]];
    if (second === 0 && first !== 0) little += 1;
    if (first === 0 && second !== 0) big += 1;
  }
  const units = begin.length / 2;
  if (little > units / 10 && big < little / 10) return 'utf-16le';
  return big > units / 10 && little < big / 10 ? 'utf-16be' : undefined;
}

async function isAllUtf8(bytes: FileBytes): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of piecesFrom(bytes, 0)) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

const isAscii = (line: Buffer): boolean => /^[\0-\x7f]*$/.test(line.toString('latin1'));

/** Lines with their ends; one that never ends is cut. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      yield bytes.subarray(from, end + 1);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length < sampleBytes) continue;
    yield rest;
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0) yield rest;
}

/** The text of a file, piece by piece, without a byte order mark; what its encoding does not have becomes U+FFFD. */
export async function* textIn(bytes: FileBytes, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'mixed') {
    const [utf8, old] = [new TextDecoder('utf-8'), new TextDecoder('windows-1252')];
    for await (const line of linesOf(piecesFrom(bytes, 0))) yield (isUtf8(line) ? utf8 : old).decode(line);
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const piece of piecesFrom(bytes, 0)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
