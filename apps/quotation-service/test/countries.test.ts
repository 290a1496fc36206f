import { expect, it } from 'vitest';
import { addressIn, countryName } from '../src/wording/countries.ts';
import { wordsOf } from '../src/wording/languages.ts';

const street = 'Storgatan 1\n111 22 Stockholm';

it('the country of an address is in the language of its document', () => {
  for (const [code, name] of [
    ['SE', 'Sverige'],
    ['DE', 'Tyskland'],
    ['GB', 'Storbritannien'],
    ['CI', 'Elfenbenskusten'],
  ] as const) {
    const kept = `${street}\n${countryName(code)}`;
    expect(addressIn(kept, wordsOf('sv'))).toBe(`${street}\n${name}`);
    expect(addressIn(kept, wordsOf('en'))).toBe(kept);
  }
});

it('an address without a country is as it is', () => {
  for (const address of ['', street, `${street}\nNirgendwo`]) {
    expect(addressIn(address, wordsOf('sv'))).toBe(address);
  }
});
