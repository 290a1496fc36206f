import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../src/search-texts.ts';

test('an address gives back the texts that it was made of, whatever they look like', () => {
  const texts = fc.string({ unit: 'grapheme', minLength: 1 });
  const names = fc.stringMatching(/^[a-z]{1,8}$/);
  fc.assert(
    fc.property(fc.dictionary(names, texts, { noNullPrototype: true }), (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual(search);
    }),
  );
  expect(stringifySearch({ search: '1e3', states: 'new,won', empty: '', none: undefined })).toBe(
    '?search=1e3&states=new,won',
  );
  expect(parseSearch('?search=1e3')).toEqual({ search: '1e3' });
});
