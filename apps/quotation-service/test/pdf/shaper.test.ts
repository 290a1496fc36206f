import { describe, expect, it } from 'vitest';
import { fontsFor } from '../../src/pdf/fonts.ts';
import { printable } from '../../src/pdf/printable.ts';

/** The glyphs of a word from left to right, each as the letters that it represents. */
async function glyphsOf(word: string): Promise<string[]> {
  const { faceFor } = await fontsFor({ all: [word], bold: [] });
  const [first = ''] = word;
  const { glyphs = [] } = faceFor('regular', first)?.shape(word) ?? {};
  expect(glyphs.map(({ id }) => id)).not.toContain(0);
  return glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints));
}

/** The names of countries in a language. */
function countriesIn(language: string): string[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const codes = [
    'AX',
    'BD',
    'BT',
    'CI',
    'DZ',
    'EG',
    'FK',
    'GB',
    'IN',
    'JP',
    'KH',
    'LK',
    'MM',
    'NZ',
    'SE',
    'TH',
  ];
  return codes.map((code) => printable(names.of(code) ?? ''));
}

describe('the glyphs of a word', () => {
  it('of Hindi begin with the vowel that is written before its letter', async () => {
    expect(await glyphsOf('हिन्दी')).toEqual(['ि', 'ह', 'न्', 'द', 'ी']);
  });

  it('of Hindi are joined or apart as a joiner says', async () => {
    expect(await glyphsOf('क्ष')).toHaveLength(1);
    expect((await glyphsOf(printable('क्\u{200D}ष'))).length).toBeGreaterThan(1);
  });

  it('of Bengali and Tamil have both parts of a vowel that is written around its letter', async () => {
    expect(await glyphsOf('কৌ')).toHaveLength(3);
    expect(await glyphsOf('கொ')).toHaveLength(3);
  });

  it('of Thai have both parts of SARA AM, the ring below the tone', async () => {
    expect(await glyphsOf('น้ำ')).toHaveLength(4);
  });

  it('of Burmese begin with the vowel and the medial that are written before their letter', async () => {
    const glyphs = await glyphsOf('ကြေ');
    expect(glyphs.map((glyph) => glyph.codePointAt(0))).toEqual([0x1031, 0x103c, 0x1000]);
  });

  it('are what a reader copies, also where two letters are one glyph', async () => {
    expect((await glyphsOf('office')).join('')).toBe('office');
  });

  it.each([
    ...['am', 'as', 'bn', 'dv', 'fa', 'gu', 'he', 'hi', 'ja', 'ka', 'km', 'kn', 'ko', 'lo'],
    ...['ml', 'mr', 'my', 'ne', 'or', 'pa', 'si', 'ta', 'te', 'th', 'ur', 'vi', 'zh', 'zh-Hant'],
  ])('are there for the names of countries in %s', async (language) => {
    const names = countriesIn(language);
    const { faceFor } = await fontsFor({ all: names, bold: names });
    for (const weight of ['regular', 'bold'] as const) {
      for (const letter of new Set(names.join('').replace(/[\u{200C}\u{200D}]/gu, ''))) {
        expect(faceFor(weight, letter), letter).toBeDefined();
      }
      for (const name of names)
        expect(faceFor(weight, name.charAt(0))?.shape(name).glyphs.length).toBeGreaterThan(0);
    }
  });
});
