import { extractImages, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { typesetQuote } from '../../src/pdf/quote-pdf.ts';
import { sampleQuote } from '../fixtures/sample-quote.ts';

/** 5 by 3 pixels of a palette of red, green, blue and nothing, in diagonals, with 2 bits each. */
const palette = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAgMAAAAmWC1rAAAADFBMVEXIAAAAlgAAAPr///9jy/TfAAAABHRSTlP///8AQCqp9AAAABFJREFUeJxjkGZgyHFg2NgAAAXfAfmhCbF5AAAAAElFTkSuQmCC',
  'base64',
);
const colors = [
  [200, 0, 0, 255],
  [0, 150, 0, 255],
  [0, 0, 250, 255],
  [0, 0, 0, 0],
];

/** The pictures on the first page of a quote with this logo. */
async function picturesWith(logo: Uint8Array) {
  const pdf = await typesetQuote({ quote: sampleQuote(), language: 'en', logo });
  return extractImages(await getDocumentProxy(pdf), 1);
}

describe('the logo on a PDF', () => {
  it('has its pixels, also where a sent quote has kept a file that PDFs cannot contain', async () => {
    const [picture] = await picturesWith(palette);
    expect(picture).toMatchObject({ width: 5, height: 3, channels: 4 });
    const data = picture?.data ?? [];
    for (let n = 0; n < 15; n += 1) {
      const [r = 0, g = 0, b = 0, alpha = 0] = data.slice(n * 4, n * 4 + 4);
      const seen = alpha === 0 ? [0, 0, 0, 0] : [r, g, b, alpha];
      expect(seen, `pixel ${n}`).toEqual(colors[((n % 5) + Math.floor(n / 5)) % 4]);
    }
  });

  it('is left out where it is no picture', async () => {
    expect(await picturesWith(palette.subarray(0, 60))).toEqual([]);
  });
});
