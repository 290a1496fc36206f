import { logoBounds } from '@tenantry/contracts';
import { drawPicture, UnusablePictureError } from '@tenantry/pictures';

/**
 * A logo as a PDF can contain it. Quotes that were sent before uploads were drawn again have kept the uploaded file, such as a
 * palette with transparency, or a JPEG on its side. One that cannot be decoded is left out, rather than the quote.
 */
export async function logoPicture(logo: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return (await drawPicture(logo, logoBounds)).content;
  } catch (error) {
    if (error instanceof UnusablePictureError) return undefined;
    throw error;
  }
}
