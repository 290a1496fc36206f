import { minorDigits, quotableCurrencies } from '@tenantry/money';
import { expect, test } from 'vitest';
import { formatsOf } from '../../src/design/language.ts';
import { moneyFormat } from '../../src/design/money.ts';

test('money has as many decimals as its currency, also where browsers leave them out', () => {
  const inEnglish = moneyFormat('en');
  expect(inEnglish(1250.5, 'HUF')).toBe('HUF\u00a01,250.50');
  expect(inEnglish(1250, 'JPY')).toMatch(/1,250$/);
  expect(inEnglish(1.125, 'KWD')).toBe('KWD\u00a01.125');
  expect(moneyFormat('sv')(1250.5, 'SEK')).toBe('1\u00a0250,50\u00a0kr');
  for (const currency of quotableCurrencies) {
    const [, decimals = ''] = inEnglish(1, currency).split('.');
    expect(decimals.length, currency).toBe(minorDigits(currency));
  }
});

test('a quantity is shown with every decimal that it may have', () => {
  expect(formatsOf('en', 'UTC').number(10.0005)).toBe('10.0005');
  expect(formatsOf('sv', 'UTC').number(9_999_999.9999)).toBe('9\u00a0999\u00a0999,9999');
});
