import { isCurrency, minorDigits } from '@tenantry/money';
import { describe, expect, it } from 'vitest';

describe('a currency', () => {
  it.each([
    ['SEK', 2],
    ['EUR', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['TND', 3],
  ])('%s has %d decimals by ISO 4217', (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
  });

  it.each(['sek', 'XAU', 'XXX', 'DEM', 'HRK', '', 'EURO', 'constructor'])('is not %j', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(() => minorDigits(code)).toThrow(RangeError);
  });

  it('is known to JavaScript as well, in all but what is newer than its data', () => {
    const known = new Set(Intl.supportedValuesOf('currency'));
    const missing = allCodes().filter((code) => isCurrency(code) && !known.has(code));
    expect(missing.filter((code) => !['XCG', 'ZWG'].includes(code))).toEqual([]);
  });
});

/** Every three capital letters. */
function allCodes(): string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  return letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
}
