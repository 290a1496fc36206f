import { PNG } from 'pngjs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawPicture, pictureSideMax, UnusablePictureError, type Picture } from '../src/index.ts';
import { beforeMarkers, fieldAt, fieldsBy } from './support/jpeg.ts';
import { chunk, colorTypes, makePng, type PngToMake } from './support/png.ts';

const bounds = { width: 1_020, height: 336, bytesMax: 256 * 1_024 };

/** The header of a picture that every document can show. */
const headerOf = ({ content }: Picture) => ({
  depth: content[24],
  color: content[25],
  interlace: content[28],
});

/** Its pixels, read by another library; a pixel that cannot be seen has no color. */
const seenIn = ({ content }: Picture): number[][] => {
  const { data } = PNG.sync.read(content);
  return Array.from({ length: data.length / 4 }, (_, n) => seen([...data.subarray(n * 4, n * 4 + 4)]));
};
const seen = (pixel: readonly number[]): number[] => (pixel[3] === 0 ? [0, 0, 0, 0] : [...pixel]);

const size = { width: 13, height: 9 };
const eachPixel = <Value>(at: (x: number, y: number) => Value): Value[] =>
  Array.from({ length: size.width * size.height }, (_, n) => at(n % size.width, Math.floor(n / size.width)));

/** Samples that use the whole range of a depth, in a pattern that no wrong stride or shift repeats. */
const sampleAt = (depth: number, x: number, y: number, n: number): number => {
  const max = 2 ** depth - 1;
  return Math.round((((x * 7 + y * 11 + n * 5) % 17) / 16) * max);
};
const to8 = (sample: number, depth: number): number =>
  depth === 16 ? sample >> 8 : Math.round((sample * 255) / (2 ** depth - 1));

const uint16s = (...values: number[]): Buffer => {
  const data = Buffer.alloc(values.length * 2);
  values.forEach((value, n) => data.writeUInt16BE(value, n * 2));
  return data;
};

interface Kind {
  readonly color: PngToMake['color'];
  readonly depth: number;
  readonly hasKey: boolean;
  readonly interlaced: boolean;
}

const depthsOf: Readonly<Record<PngToMake['color'], readonly number[]>> = {
  gray: [1, 2, 4, 8, 16],
  rgb: [8, 16],
  palette: [1, 2, 4, 8],
  'gray and alpha': [8, 16],
  rgba: [8, 16],
};
const kinds = (Object.keys(colorTypes) as PngToMake['color'][]).flatMap((color) =>
  depthsOf[color].flatMap((depth) =>
    (color.endsWith('a') ? [false] : [false, true]).flatMap((hasKey) =>
      [false, true].map((interlaced): Kind => ({ color, depth, hasKey, interlaced })),
    ),
  ),
);

/** A PNG of a kind, and the pixels that are to be seen. */
function pictured({ color, depth, hasKey, interlaced }: Kind) {
  const { samples } = colorTypes[color];
  const samplesAt = (x: number, y: number) =>
    Array.from({ length: samples }, (_, n) => sampleAt(depth, x, y, n));
  const key = samplesAt(3, 2);
  const entries = Array.from({ length: 2 ** depth }, (_, n) => [(n * 37) % 256, (n * 101) % 256, 255 - n]);
  const alphas = [0, 128, 255, 64];
  const chunks: [string, Buffer][] = [];
  if (color === 'palette') {
    chunks.push(['PLTE', Buffer.from(entries.flat())]);
    if (hasKey) chunks.push(['tRNS', Buffer.from(alphas.slice(0, 2 ** depth))]);
  } else if (hasKey) chunks.push(['tRNS', uint16s(...key)]);
  const pixelAt = (x: number, y: number): number[] => {
    const own = samplesAt(x, y);
    if (color === 'palette') {
      return [...(entries[own[0] ?? 0] ?? []), hasKey ? (alphas[own[0] ?? 0] ?? 255) : 255];
    }
    const values = own.map((sample) => to8(sample, depth));
    const [first = 0, second = 0, third = 0, fourth = 255] = values;
    const alpha = hasKey && own.every((sample, n) => sample === key[n]) ? 0 : 255;
    if (color === 'gray') return [first, first, first, alpha];
    if (color === 'gray and alpha') return [first, first, first, second];
    return [first, second, third, color === 'rgba' ? fourth : alpha];
  };
  return {
    content: makePng({ ...size, color, depth, interlaced, samplesAt, chunks }),
    pixels: eachPixel((x, y) => seen(pixelAt(x, y))),
  };
}

describe('a PNG', () => {
  test.each(kinds)(
    'of $color, $depth bits, key $hasKey, interlaced $interlaced, keeps its pixels',
    async (kind) => {
      const { content, pixels } = pictured(kind);
      const drawn = await drawPicture(content, bounds);
      expect(drawn.mediaType).toBe('image/png');
      expect(headerOf(drawn)).toMatchObject({ depth: 8, interlace: 0 });
      expect([2, 6]).toContain(headerOf(drawn).color);
      expect(seenIn(drawn)).toEqual(pixels);
    },
  );

  test('of other colors than sRGB is converted by its profile', async () => {
    const red = { width: 4, height: 4, channels: 3, background: { r: 200, g: 30, b: 30 } } as const;
    const content = await sharp({ create: red }).withIccProfile('p3').png().toBuffer();
    const [pixel = []] = seenIn(await drawPicture(content, bounds));
    const [r = 0, g = 0, b = 0] = pixel;
    expect([Math.abs(r - 200), Math.abs(g - 30), Math.abs(b - 30)].every((off) => off <= 3)).toBe(true);
  });

  test('is made to fit at its own proportions, and never made larger', async () => {
    const sizeOf = async (width: number, height: number) => {
      const { content } = await drawPicture(makePng({ width, height, color: 'gray' }), bounds);
      return [content.readUInt32BE(16), content.readUInt32BE(20)];
    };
    expect(await sizeOf(2_040, 400)).toEqual([1_020, 200]);
    expect(await sizeOf(100, 672)).toEqual([50, 336]);
    expect(await sizeOf(10, 5)).toEqual([10, 5]);
    expect(await sizeOf(3_000, 1)).toEqual([1_020, 1]);
  });

  test('of noise loses detail until it has few enough bytes', async () => {
    let state = 1;
    const noise = Buffer.from(
      Array.from({ length: 300 * 200 * 4 }, () => (state = (state * 48_271) % 0x7fffffff) & 255),
    );
    const content = await sharp(noise, { raw: { width: 300, height: 200, channels: 4 } })
      .png()
      .toBuffer();
    const tight = { ...bounds, bytesMax: 32 * 1_024 };
    const drawn = await drawPicture(content, tight);
    expect(drawn.mediaType).toBe('image/png');
    expect(drawn.content.length).toBeLessThanOrEqual(tight.bytesMax);
    const opaque = await sharp(content).removeAlpha().png().toBuffer();
    expect((await drawPicture(opaque, { ...bounds, bytesMax: 128 * 1_024 })).mediaType).toBe('image/jpeg');
  });
});

const fields = { width: 48, height: 32 };

/** How far the colors of the four fields are from where they should be, at most; they are upright. */
async function offBy({ content }: Picture): Promise<number> {
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([fields.width, fields.height, 3]);
  const spots = [0.25, 0.75].flatMap((down) => [0.25, 0.75].map((right) => [right, down] as const));
  return Math.max(
    ...spots.flatMap(([right, down]) => {
      const [x, y] = [fields.width * right, fields.height * down];
      const at = (y * fields.width + x) * 3;
      return fieldAt(x, y, fields).map((value, n) => Math.abs(value - (data[at + n] ?? 0)));
    }),
  );
}

const baseline = () => fieldsBy(1, fields).jpeg({ quality: 95 }).toBuffer();

describe('a JPEG', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of EXIF orientation %i is upright', async (orientation) => {
    const content = await fieldsBy(orientation, fields)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation })
      .toBuffer();
    const drawn = await drawPicture(content, bounds);
    expect(drawn.mediaType).toBe('image/jpeg');
    expect(await offBy(drawn)).toBeLessThanOrEqual(12);
    expect((await sharp(drawn.content).metadata()).orientation).toBeUndefined();
  });

  test.each([
    ['progressive', () => fieldsBy(1, fields).jpeg({ progressive: true, quality: 95 }).toBuffer()],
    ['in CMYK', () => fieldsBy(1, fields).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
    ['with fill bytes', async () => beforeMarkers(await baseline(), Buffer.from('ffffffff', 'hex'))],
    [
      'with segments of applications and comments',
      async () =>
        beforeMarkers(await baseline(), Buffer.from('ffed000600000000fffe000561626300'.slice(0, 30), 'hex')),
    ],
    ['with bytes after its end', async () => Buffer.concat([await baseline(), Buffer.alloc(50)])],
  ])('%s keeps its picture', async (kind, make) => {
    const drawn = await drawPicture(await make(), bounds);
    expect(drawn.mediaType).toBe('image/jpeg');
    const { isProgressive, channels, space } = await sharp(drawn.content).metadata();
    expect([isProgressive, channels, space]).toEqual([false, 3, 'srgb']);
    // Inks are less pure than the colors of a screen.
    expect(await offBy(drawn)).toBeLessThanOrEqual(kind === 'in CMYK' ? 130 : 12);
  });

  test('in gray is one in color', async () => {
    const content = await fieldsBy(1, fields).grayscale().jpeg().toBuffer();
    const drawn = await drawPicture(content, bounds);
    expect((await sharp(drawn.content).metadata()).channels).toBe(3);
  });
});

test('a WebP becomes a PNG, with its transparency', async () => {
  const pixels = Buffer.from(eachPixel((x) => [200, 10, 10, x < 6 ? 0 : 255]).flat());
  const content = await sharp(pixels, { raw: { ...size, channels: 4 } })
    .webp({ lossless: true })
    .toBuffer();
  expect(seenIn(await drawPicture(content, bounds))).toEqual(
    eachPixel((x) => (x < 6 ? [0, 0, 0, 0] : [200, 10, 10, 255])),
  );
});

const flipped = (content: Buffer, at: number) =>
  Buffer.from(content.map((byte, n) => (n === at ? byte ^ 1 : byte)));
const png = (width = 20, height = 20) => makePng({ width, height, color: 'rgb' });

/** A PNG that says it has other pixels than it has. */
function lyingPng(width: number, height: number): Buffer {
  const content = Buffer.from(png());
  const header = content.subarray(16, 29);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  chunk('IHDR', header).copy(content, 8);
  return content;
}

describe('refused is', () => {
  const animated = async () => {
    const frames = Buffer.alloc(8 * 16 * 4, 255);
    frames.fill(0, 0, 200);
    return sharp(frames, { raw: { width: 8, height: 16, channels: 4, pageHeight: 8 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
  };
  test.each([
    ['nothing', () => Buffer.alloc(0), 'must be a PNG, a JPEG or a WebP'],
    ['text', () => Buffer.from('hello'), 'must be a PNG, a JPEG or a WebP'],
    [
      'an SVG',
      () => Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'is an SVG',
    ],
    ['a GIF', () => fieldsBy(1, fields).gif().toBuffer(), 'must be a PNG, a JPEG or a WebP'],
    ['an AVIF', () => fieldsBy(1, fields).avif().toBuffer(), 'must be a PNG, a JPEG or a WebP'],
    ['a TIFF', () => fieldsBy(1, fields).tiff().toBuffer(), 'must be a PNG, a JPEG or a WebP'],
    ['a PNG that is cut in its end', () => png().subarray(0, -6), 'is a PNG that is not whole'],
    ['a PNG that is cut in its data', () => png().subarray(0, -20), 'is a PNG that is not whole'],
    ['a PNG that is cut in its header', () => png().subarray(0, 20), 'is a PNG that is not whole'],
    ['a PNG with a bit that fell over in its data', () => flipped(png(), 50), 'is a PNG that is not whole'],
    ['a PNG of fewer pixels than it says', () => lyingPng(200, 200), 'is a PNG that is not whole'],
    ['a PNG of no pixels', () => lyingPng(0, 20), 'is a PNG that is not whole'],
    ['a PNG of many pixels', () => lyingPng(20_000, 20_000), 'is 20000 by 20000 pixels'],
    ['a PNG that is too wide', () => png(pictureSideMax + 1, 1), 'is 3001 by 1 pixels: it may have 3000'],
    [
      'a JPEG that is cut in its scan',
      async () => (await baseline()).subarray(0, -40),
      'is a JPEG that is not whole',
    ],
    [
      'a JPEG that is cut in its header',
      async () => (await baseline()).subarray(0, 30),
      'is a JPEG that is not whole',
    ],
    ['a JPEG of nothing', () => Buffer.from('ffd8ffe000044a46ffd9', 'hex'), 'is a JPEG that is not whole'],
    [
      'a WebP that is cut',
      async () => (await fieldsBy(1, fields).webp().toBuffer()).subarray(0, -20),
      'is a WebP',
    ],
    ['a WebP that is animated', animated, 'is animated'],
  ])('%s [S-202]', async (_what, make, message) => {
    const refusal = drawPicture(await make(), bounds);
    await expect(refusal).rejects.toThrow(UnusablePictureError);
    await expect(refusal).rejects.toThrow(message);
  });
});
