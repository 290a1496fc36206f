import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressesIn } from '../../src/people/addresses.ts';

describe('the addresses in a text', () => {
  test.each([
    ['', []],
    ['ada@example.com', ['ada@example.com']],
    [
      'ada@example.com, bob@example.com;eve@example.com',
      ['ada@example.com', 'bob@example.com', 'eve@example.com'],
    ],
    [
      'ada@example.com\nbob@example.com  eve@example.com\r\n',
      ['ada@example.com', 'bob@example.com', 'eve@example.com'],
    ],
    ['Åse Öberg <ase@example.com>, "Ada" <ada@example.com>', ['ase@example.com', 'ada@example.com']],
    ['ada@example.com ADA@example.com', ['ada@example.com']],
    ['max@müller-dach.example MAX@xn--mller-dach-9db.example', ['max@müller-dach.example']],
    ['not an address', ['not', 'an', 'address']],
  ])('%j are %j', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });

  test('are all found, each once, however they are separated', () => {
    const separator = fc.constantFrom(',', ';', '\n', ' ', ', ', ' ;\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 20 }), separator)), (entries) => {
        const text = entries.map(([number, after]) => `user${number}@example.com${after}`).join('');
        const expected = [...new Set(entries.map(([number]) => `user${number}@example.com`))];
        expect(addressesIn(text)).toEqual(expected);
      }),
    );
  });
});
