import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { unusableLogo } from './logos.errors.ts';
import type { Logo } from './logos.repository.ts';

/** No SVG: it can hold scripts and load other files. */
export const logoMediaTypes = ['image/png', 'image/jpeg'] as const;

/** On either side, in pixels: more than 300 dots per inch of half a page. */
export const logoSideMax = 1_200;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Detects a picture by its content, not its declared type: a PNG with exactly its pixels, or the frame of a JPEG. Pictures that
 * PDFs cannot contain are refused here, not when a quote is sent.
 *
 * @throws VALIDATION_ERROR
 */
export async function readPicture(content: Buffer): Promise<Logo> {
  if (content.subarray(0, 8).equals(pngSignature)) {
    await requirePng(content);
    return { mediaType: 'image/png', content };
  }
  if (content.subarray(0, 3).equals(jpegSignature)) {
    requireJpeg(content);
    return { mediaType: 'image/jpeg', content };
  }
  throw unusableLogo('must be a PNG or a JPEG');
}

function requireSize({ width, height }: Size): void {
  if (width >= 1 && height >= 1 && width <= logoSideMax && height <= logoSideMax) return;
  throw unusableLogo(`is ${width} by ${height} pixels: it may have ${logoSideMax} on either side`);
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Samples of a pixel by color type: gray, color, palette, gray and color with transparency. */
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const inflated = promisify(inflate) as (data: Buffer, options: object) => Promise<Buffer>;
const brokenPng = (): never => {
  throw unusableLogo('is a PNG that is not whole');
};

/** https://www.w3.org/TR/png-3/ */
async function requirePng(content: Buffer): Promise<void> {
  const chunks = pngChunks(content);
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== 13 || chunks.at(-1)?.type !== 'IEND')
    return brokenPng();
  const size = { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
  requireSize(size);
  const [depth = 0, color = 0, , , interlace] = header.data.subarray(8);
  const samples = samplesOf[color];
  if (samples === undefined || depth > 8 || interlace !== 0) {
    throw unusableLogo('is a PNG of 16 bits or an interlaced one: save it with 8 bits and not interlaced');
  }
  // Data that inflates to more than the pixels is refused.
  const bytes = size.height * (1 + Math.ceil((size.width * samples * depth) / 8));
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  const pixels = await inflated(data, { maxOutputLength: bytes }).catch(brokenPng);
  if (pixels.length !== bytes) brokenPng();
  if (color === 3 && !chunks.some(({ type }) => type === 'PLTE')) brokenPng();
}

function pngChunks(content: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  let at = pngSignature.length;
  while (at < content.length) {
    if (content.length - at < 12) return brokenPng();
    const end = at + 8 + content.readUInt32BE(at);
    if (end + 4 > content.length || crc32(content.subarray(at + 4, end)) !== content.readUInt32BE(end)) {
      return brokenPng();
    }
    chunks.push({ type: content.toString('latin1', at + 4, at + 8), data: content.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

const jpegSignature = Buffer.from('ffd8ff', 'hex');
/** Baseline, extended and progressive frames; PDFs cannot contain others (lossless, arithmetic). */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const scanMarker = 0xda;

/** ITU-T T.81, B.1. */
function requireJpeg(content: Buffer): void {
  let at = 2;
  let size: Size | undefined;
  while (at + 4 <= content.length && content[at] === 0xff) {
    const marker = content[at + 1] ?? 0;
    const length = content.readUInt16BE(at + 2);
    if (marker === scanMarker && size) {
      requireSize(size);
      return;
    }
    if (otherFrames.has(marker) || length < 2) break;
    if (frames.has(marker) && length >= 11 && at + 10 <= content.length) {
      const components = content[at + 9] ?? 0;
      if (content[at + 4] !== 8 || ![1, 3, 4].includes(components)) break;
      size = { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) };
    }
    at += 2 + length;
  }
  throw unusableLogo('is a JPEG that is not whole or of a rare kind: save it again');
}
