import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/** Reads a picture in a data URL as the camera of a phone would. */
export function decodeQrCode(dataUrl: string): string {
  const [head, base64 = ''] = dataUrl.split(',');
  if (head !== 'data:image/png;base64') throw new Error(`This is no PNG: ${head ?? ''}`);
  const { data, width, height } = PNG.sync.read(Buffer.from(base64, 'base64'));
  const read = jsQR.default(new Uint8ClampedArray(data), width, height);
  if (!read) throw new Error('There is no QR code in the picture.');
  return read.data;
}
