import { describe, expect, test } from 'vitest';
import { tidyVatNumber } from '../src/resources/index.ts';

describe('a VAT number', () => {
  test.each([
    ['SE556012579001', 'SE556012579001'],
    ['de 136 695 976', 'DE136695976'],
    ['NL 8228.33.481.B01', 'NL822833481B01'],
    ['ATU99999999', 'ATU99999999'],
    ['EL 123456789', 'EL123456789'],
    ['XI123456789', 'XI123456789'],
    ['CHE-123.456.788 MWST', 'CHE123456788MWST'],
    ['NO 923 609 016 MVA', 'NO923609016MVA'],
    ['US12-3456789', 'US123456789'],
    ['51824753556', '51824753556'],
  ])('%s is kept as %s', (typed, kept) => {
    expect(tidyVatNumber(typed, 'vatNumber')).toBe(kept);
  });

  test.each([
    'SE556012579',
    'SE556012579002',
    'DE12345678',
    'NL822833481C01',
    'ABCDEF',
    '12',
    'US1234567890123456789',
    'SE55601257é901',
  ])('%s is none', (typed) => {
    expect(() => tidyVatNumber(typed, 'vatNumber')).toThrow(/vatNumber must be a VAT number/);
  });
});
