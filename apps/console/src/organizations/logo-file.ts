import { drawnSideMax, fittingSize, isReadyToSend, logoBytesMax, sidesToTry } from './logo.ts';

/** The file is no picture that the browser can read. */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError';
}

/** A picture as the API takes it: as it is, or drawn again smaller, with what is transparent in it. */
export async function logoOf(file: Blob): Promise<Blob> {
  const picture = await opened(file).catch(() => {
    throw new UnreadablePictureError();
  });
  try {
    if (isReadyToSend(file, picture)) return file;
    for (const side of sidesToTry) {
      const drawn = await drawnWithin(picture, side);
      if (drawn.size <= logoBytesMax) return drawn;
    }
    throw new UnreadablePictureError();
  } catch (cause) {
    // The file is gone, or the canvas too large for this device.
    throw new UnreadablePictureError(undefined, { cause });
  } finally {
    picture.close();
  }
}

/** The API refuses an SVG; the browser draws one as a picture, which runs no scripts and loads no other files. */
async function opened(file: Blob): Promise<ImageBitmap> {
  if (file.type !== 'image/svg+xml') return createImageBitmap(file);
  const image = new Image();
  image.src = await dataUrlOf(file);
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = drawnSideMax / Math.max(width, height);
  const size = { resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale) };
  return createImageBitmap(image, { ...size, resizeQuality: 'high' });
}

async function drawnWithin(picture: ImageBitmap, sideMax: number): Promise<Blob> {
  const { width, height } = fittingSize(picture, sideMax);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new UnreadablePictureError();
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** A picture as an address that the policy lets a page show. */
export function dataUrlOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new UnreadablePictureError());
    reader.readAsDataURL(picture);
  });
}
