/** ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER. */
export const joiners: readonly string[] = ['\u{200C}', '\u{200D}'];

/** A letter or mark of a script that joiners affect, such as Persian and Hindi. */
const joined = [
  'Arab',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
].map((script) => String.raw`\p{sc=${script}}`);

/** Control characters, format characters and variation selectors, except line feeds and effective joiners. */
const withoutShape = new RegExp(
  String.raw`(?!\n|(?<=[${joined.join('')}])[\u{200C}\u{200D}])[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}]`,
  'gu',
);

/**
 * A text without invisible characters: control and format characters, including direction overrides, which could show an amount
 * backwards. Lone surrogates become the replacement character.
 */
export function printable(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(/\t/g, ' ')
      .replace(withoutShape, '')
      // No script has as many marks on a letter, and placing them takes quadratic time.
      .replace(/(\p{M}{8})\p{M}+/gu, '$1')
  );
}
