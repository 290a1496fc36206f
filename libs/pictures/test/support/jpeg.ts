import sharp, { type Sharp } from 'sharp';

/** Four fields of colors that survive a JPEG: red and green above, blue and white below. */
export const fieldAt = (x: number, y: number, { width, height }: Size): readonly [number, number, number] => {
  const [isRight, isBelow] = [x >= width / 2, y >= height / 2];
  if (isBelow) return isRight ? [255, 255, 255] : [0, 0, 255];
  return isRight ? [0, 200, 0] : [255, 0, 0];
};

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where a pixel of the upright picture is stored, by EXIF orientation. */
const storedAt: Readonly<Record<number, (x: number, y: number, size: Size) => readonly [number, number]>> = {
  1: (x, y) => [x, y],
  2: (x, y, { width }) => [width - 1 - x, y],
  3: (x, y, { width, height }) => [width - 1 - x, height - 1 - y],
  4: (x, y, { height }) => [x, height - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, { width }) => [y, width - 1 - x],
  7: (x, y, { width, height }) => [height - 1 - y, width - 1 - x],
  8: (x, y, { height }) => [height - 1 - y, x],
};

/** A picture of fields that is upright as seen, and stored by an orientation. */
export function fieldsBy(orientation: number, size: Size): Sharp {
  const stored = orientation < 5 ? size : { width: size.height, height: size.width };
  const pixels = Buffer.alloc(size.width * size.height * 3);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const [left, top] = storedAt[orientation]?.(x, y, size) ?? [x, y];
      pixels.set(fieldAt(x, y, size), (top * stored.width + left) * 3);
    }
  }
  return sharp(pixels, { raw: { ...stored, channels: 3 } });
}

/** Inserts bytes before each marker of the segments that precede the scan. */
export function beforeMarkers(jpeg: Buffer, inserted: Buffer): Buffer {
  const pieces = [jpeg.subarray(0, 2)];
  let at = 2;
  for (; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    pieces.push(inserted, jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
  }
  return Buffer.concat([...pieces, inserted, jpeg.subarray(at)]);
}
