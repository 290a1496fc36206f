/** What the API takes, in bytes. */
export const logoBytesMax = 256 * 1_024;
/** On either side, in pixels: what the API takes. */
const logoSideMax = 3_000;
/** The longer side of a picture that is drawn here: more than a quote shows. */
export const drawnSideMax = 1_200;

/** How large a picture is, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The largest size with the same proportions that has at most `sideMax` on either side; never larger than it was. */
export function fittingSize({ width, height }: Size, sideMax: number): Size {
  const scale = Math.min(1, sideMax / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const mediaTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** Whether the API takes a file as it is. Any other picture that the browser can show is drawn here, as a PNG. */
export const isReadyToSend = ({ type, size: bytes }: Pick<Blob, 'type' | 'size'>, size: Size): boolean =>
  mediaTypes.has(type) && bytes <= logoBytesMax && Math.max(size.width, size.height) <= logoSideMax;

/** The sides to try, until the picture has few enough bytes. */
export const sidesToTry: readonly number[] = [drawnSideMax, 900, 700, 500, 350, 250];
