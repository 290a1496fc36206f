import type { Words } from './languages.ts';

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The codes of ISO 3166-1 by their English names, as addresses have them. */
const codes = new Map(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .map((code) => [english.of(code), code] as const),
);

/** The country of an address as a document has it: in English until its language is known. */
export const countryName = (code: string): string => english.of(code) ?? code;

/** An address with its country, the last line, in the language of a document. */
export function addressIn(address: string, { locale }: Pick<Words, 'locale'>): string {
  const lines = address.split('\n');
  const code = codes.get(lines.at(-1));
  const name = code && new Intl.DisplayNames(locale, { type: 'region' }).of(code);
  return name === undefined ? address : [...lines.slice(0, -1), name].join('\n');
}
