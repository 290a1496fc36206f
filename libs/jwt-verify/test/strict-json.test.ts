import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictObject } from '../src/tokens/strict-json.ts';

const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 8 });

describe('reading a JSON object strictly', () => {
  it('gives what JSON.parse gives for any object with unique names', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseStrictObject(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses any name that is used twice, however deep and however it is spelt [S-82]', () => {
    const escape = (name: string): string =>
      [...Array(name.length).keys()]
        .map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join('');
    fc.assert(
      fc.property(object, fc.string(), fc.jsonValue(), fc.nat(3), (value, name, other, depth) => {
        const members = JSON.stringify({ ...value, [name]: other }).slice(1, -1);
        let text = `{${members},"${escape(name)}":null}`;
        for (let level = 0; level < depth; level++) text = `{"a":[1,${text}]}`;
        expect(() => JSON.parse(text) as unknown).not.toThrow();
        expect(() => parseStrictObject(text)).toThrow('used twice');
      }),
    );
  });

  it('lets equal names stand in different objects', () => {
    const text = '{"a":{"a":[{"a":1},{"a":"a"}]},"b":{"a":2}}';
    expect(parseStrictObject(text)).toEqual(JSON.parse(text));
  });
});
