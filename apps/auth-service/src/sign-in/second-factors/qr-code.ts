import { toDataURL } from 'qrcode';

/** Draws a URI as a QR code: a PNG in a data URL, which an `img` shows as it is. */
export function qrCodeOf(uri: string): Promise<string> {
  return toDataURL(uri, { errorCorrectionLevel: 'M', margin: 4, scale: 6 });
}
