import { formatOf, notWhole, pictureSideMax } from './picture-formats.ts';
import { loadSharp } from './sharp.ts';
import { UnusablePictureError } from './unusable-picture-error.ts';

/** A picture that every document can show: sRGB, 8 bits, upright, without metadata. */
export interface Picture {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly content: Buffer;
}

/** What a picture is made to fit, in pixels and bytes. */
export interface PictureBounds {
  readonly width: number;
  readonly height: number;
  readonly bytesMax: number;
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** 4 with transparency. */
  readonly channels: 3 | 4;
}

/**
 * Decodes an uploaded picture and draws it again within bounds, at its own proportions and never larger than it was. The same
 * content gives the same bytes. It runs in native threads: limit how many run at once.
 *
 * @throws {UnusablePictureError}
 */
export async function drawPicture(content: Uint8Array, bounds: PictureBounds): Promise<Picture> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const format = formatOf(bytes);
  await requireSize(bytes).catch((error: unknown) => {
    throw error instanceof UnusablePictureError ? error : notWhole(format, error);
  });
  const pixels = await decode(bytes, bounds).catch((error: unknown) => {
    throw notWhole(format, error);
  });
  return encode(pixels, { bytesMax: bounds.bytesMax, isPhoto: format === 'jpeg' });
}

/** Reads only the header, so that a small file of many pixels costs nothing. */
async function requireSize(content: Buffer): Promise<void> {
  const sharp = await loadSharp();
  const { width, height, pages = 1 } = await sharp(content, { limitInputPixels: false }).metadata();
  if (Math.max(width, height) > pictureSideMax) {
    throw new UnusablePictureError(
      `is ${width} by ${height} pixels: it may have ${pictureSideMax} on either side`,
    );
  }
  if (pages > 1) throw new UnusablePictureError('is animated: save one of its pictures as a PNG');
}

/** More than any picture of {@link pictureSideMax} takes. */
const decodingSecondsMax = 8;

async function decode(content: Buffer, { width, height }: PictureBounds): Promise<Pixels> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(content, { failOn: 'error', limitInputPixels: pictureSideMax ** 2 })
    .timeout({ seconds: decodingSecondsMax })
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

interface EncodeOptions {
  readonly bytesMax: number;
  readonly isPhoto: boolean;
}

/** As a PNG, a photo as a JPEG; smaller until it has few enough bytes, as noise may not have at first. */
async function encode(pixels: Pixels, { bytesMax, isPhoto }: EncodeOptions): Promise<Picture> {
  for (let scale = 1; ; scale *= 0.7) {
    if (!isPhoto || pixels.channels === 4) {
      const content = await (await scaled(pixels, scale)).png({ compressionLevel: 9 }).toBuffer();
      if (content.length <= bytesMax) return { mediaType: 'image/png', content };
    }
    if (pixels.channels === 3) {
      const options = { quality: 90, chromaSubsampling: '4:4:4' };
      const content = await (await scaled(pixels, scale)).jpeg(options).toBuffer();
      if (content.length <= bytesMax) return { mediaType: 'image/jpeg', content };
    }
  }
}

async function scaled({ data, width, height, channels }: Pixels, scale: number) {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels } }).resize({
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    fit: 'fill',
  });
}
