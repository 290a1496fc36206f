import { crc32, deflateSync } from 'node:zlib';

/** Color types of a PNG, and the samples of a pixel. */
export const colorTypes = {
  gray: { code: 0, samples: 1 },
  rgb: { code: 2, samples: 3 },
  palette: { code: 3, samples: 1 },
  'gray and alpha': { code: 4, samples: 2 },
  rgba: { code: 6, samples: 4 },
} as const;

export interface PngToMake {
  readonly width: number;
  readonly height: number;
  readonly color: keyof typeof colorTypes;
  readonly depth?: number;
  readonly interlaced?: boolean;
  /** The samples of a pixel. */
  readonly samplesAt?: (x: number, y: number) => readonly number[];
  /** Chunks between the header and the data, such as PLTE and tRNS. */
  readonly chunks?: readonly (readonly [type: string, data: Buffer])[];
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** A PNG of any kind, written by the specification. */
export function makePng({ width, height, color, depth = 8, interlaced = false, ...rest }: PngToMake): Buffer {
  const { samplesAt = () => Array<number>(colorTypes[color].samples).fill(0), chunks = [] } = rest;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorTypes[color].code, 0, 0, interlaced ? 1 : 0], 8);
  const passes = interlaced ? adam7 : [[0, 0, 1, 1] as const];
  const rows = passes.flatMap(([left, top, right, down]) => {
    const xs = every(right, left, width);
    return xs.length === 0
      ? []
      : every(down, top, height).map((y) =>
          packed(
            xs.flatMap((x) => samplesAt(x, y)),
            depth,
          ),
        );
  });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...chunks.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The first column and row of each pass, and its steps. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const every = (step: number, from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, n) => from + n * step);

/** A row without a filter. */
function packed(samples: readonly number[], depth: number): Buffer {
  const bits = samples.map((sample) => sample.toString(2).padStart(depth, '0')).join('');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from([0, ...bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))]);
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
