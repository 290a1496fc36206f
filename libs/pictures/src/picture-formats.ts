import { UnusablePictureError } from './unusable-picture-error.ts';

/** Media types of pictures that can be decoded. */
export const pictureMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** On either side of an uploaded picture, in pixels. It bounds the memory and the time of decoding. */
export const pictureSideMax = 3_000;

type Format = 'png' | 'jpeg' | 'webp';

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');
const jpegSignature = Buffer.from('ffd8ff', 'hex');

/** Detects the format by the content, not by a declared type. @throws {UnusablePictureError} */
export function formatOf(content: Buffer): Format {
  if (content.subarray(0, 8).equals(pngSignature)) return requireWholePng(content);
  if (content.subarray(0, 3).equals(jpegSignature)) return 'jpeg';
  if (content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP') {
    return 'webp';
  }
  throw new UnusablePictureError(
    /<svg[\s>]/i.test(content.toString('utf8', 0, 4_096))
      ? 'is an SVG, which can contain scripts and load other files: save it as a PNG'
      : 'must be a PNG, a JPEG or a WebP: save it as one of them',
  );
}

/** A decoder ignores a missing end, since all pixels may have arrived. */
function requireWholePng(content: Buffer): 'png' {
  if (!content.includes(pngEnd)) throw notWhole('png');
  return 'png';
}

/** Cut short, or damaged. */
export const notWhole = (format: Format, cause?: unknown): UnusablePictureError =>
  new UnusablePictureError(`is a ${names[format]} that is not whole: save it again`, { cause });

const names: Readonly<Record<Format, string>> = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP' };
