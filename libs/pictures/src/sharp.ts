type SharpModule = typeof import('sharp').default;

let loaded: Promise<SharpModule> | undefined;

/** Loads sharp with the first picture: it takes memory that a service without pictures does not need. */
export const loadSharp = (): Promise<SharpModule> => (loaded ??= load());

async function load(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  // One thread for a picture, and nothing kept after it.
  sharp.concurrency(1);
  sharp.cache(false);
  // Of the formats that libvips reads, only these are ever decoded, whatever the content pretends to be.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'],
  });
  return sharp;
}
