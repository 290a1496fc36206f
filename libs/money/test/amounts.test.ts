import { expect, it } from 'vitest';
import { addAmounts, amountOf } from '@tenantry/money';

it('an amount is a number of up to 15 digits, and its text beyond', () => {
  expect(amountOf('9999999999999.99')).toBe(9_999_999_999_999.99);
  expect(amountOf('0.05')).toBe(0.05);
  expect(amountOf('-12.5')).toBe(-12.5);
  expect(amountOf('998900099999002.11')).toBe('998900099999002.11');
});

it('amounts are added exactly, whichever form they have', () => {
  expect(addAmounts([])).toBe(0);
  expect(addAmounts([0.1, 0.2])).toBe(0.3);
  expect(addAmounts(['998900099999002.11', 0.9, 9_999_999_999_999.99])).toBe('1008900099999003');
  expect(addAmounts(['998900099999002.11', '-998900099999002.1'])).toBe(0.01);
  expect(addAmounts(['-0.5', 0.25])).toBe(-0.25);
  expect(addAmounts([100, '20.50'])).toBe(120.5);
  expect(() => addAmounts(['much'])).toThrow(RangeError);
});
