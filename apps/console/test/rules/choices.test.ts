import { expect, test } from 'vitest';
import { countriesIn, currenciesIn } from '../../src/organizations/choices.ts';

test('countries and currencies are called and ordered as the language does', () => {
  const english = countriesIn('en');
  expect(english).toHaveLength(249);
  expect(english.find(({ code }) => code === 'SE')?.name).toBe('Sweden');
  expect(english.at(0)?.name).toBe('Afghanistan');
  expect(
    countriesIn('sv')
      .slice(-2)
      .map(({ name }) => name),
  ).toEqual(['Österrike', 'Östtimor']);
  expect(currenciesIn('sv', 'SEK').find(({ code }) => code === 'SEK')?.name).toBe('svensk krona');
  expect(currenciesIn('en', 'QQQ').map(({ code }) => code)).toContain('QQQ');
});
