/** What joins letters and keeps them apart: ZERO WIDTH NON-JOINER and JOINER. */
export const joiners: readonly string[] = ['\u{200C}', '\u{200D}'];

/** A letter or mark of writing that joiners change, such as Persian and Hindi. */
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

/** Control and format characters and selectors of variants, other than line feeds and joiners with something to join. */
const withoutShape = new RegExp(
  String.raw`(?!\n|(?<=[${joined.join('')}])[\u{200C}\u{200D}])[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}]`,
  'gu',
);

/**
 * A text without what has no shape: control and format characters, the overrides of direction among them, which could
 * show an amount backwards. Lone surrogates become the replacement character.
 */
export function printable(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(/\t/g, ' ')
      .replace(withoutShape, '')
      // No writing has as many marks on a letter, and the time to place them grows with their square.
      .replace(/(\p{M}{8})\p{M}+/gu, '$1')
  );
}
