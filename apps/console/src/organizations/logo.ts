/** What the API takes. */
export const logoBytesMax = 256 * 1_024;
/** On either side, in pixels. */
export const logoSideMax = 1_200;

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

const pngSignature = [0x89, 0x50, 0x4e, 0x47];
const jpegSignature = [0xff, 0xd8, 0xff];
const beginsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

/**
 * Whether a file can be sent as it is: a PNG or a JPEG that is small enough. A PNG of 16 bits or an interlaced one is drawn
 * again, since documents cannot show it.
 *
 * @param head the first 32 bytes, or more
 */
export function isReadyToSend(head: Uint8Array, size: Size, bytes: number): boolean {
  if (bytes > logoBytesMax || Math.max(size.width, size.height) > logoSideMax) return false;
  if (beginsWith(head, jpegSignature)) return true;
  const [depth = 16, , , , interlace = 1] = head.subarray(24, 29);
  return beginsWith(head, pngSignature) && depth <= 8 && interlace === 0;
}

/** The sides to try, until the picture has few enough bytes. */
export const sidesToTry: readonly number[] = [logoSideMax, 900, 700, 500, 350, 250];
