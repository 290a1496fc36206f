/** What would become a blank with an accent: apostrophes that Unicode takes apart. */
const takenApart = /[`\u00b4\u0384\u1fbd\u1fbf\u1fef\u1ffd\u1ffe]/g;
/** Accents, and what cannot be seen: joiners, direction marks, variation selectors. */
const leftOut =
  /[\u00ad\u0300-\u036f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]/g;
const blanks = /[\t\n\v\f\r \u0085\u1680\u2028\u2029]+/g;

const alike = new Map<string, string>();
for (const [letters, letter] of [
  ['ł', 'l'],
  ['ø', 'o'],
  ['đð', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  [
    '`\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u055a\u05f3\ua78b\ua78c',
    "'",
  ],
  ['\u201c\u201d\u201e\u201f', '"'],
  [
    '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u02d7\u058a\u05be\u1400\u1806\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0',
    '-',
  ],
] as const) {
  for (const each of letters) alike.set(each, letter);
}

/**
 * Text as searches compare it, letter by letter as the databases do (`app.fold_text` of libs/tenancy): without case, accents and
 * compatibility forms; apostrophes, dashes, quotation marks and runs of blanks are those of ASCII. For names and terms, not for
 * addresses.
 *
 * @example foldText('O’Brien\u00a0Ångström'); // "o'brien angstrom"
 */
export function foldText(text: string): string {
  const marked = text.replaceAll(takenApart, "'");
  const [canonical, compatible] = [marked.normalize('NFD'), marked.normalize('NFKD')];
  const forms = bytesOf(compatible) <= bytesOf(canonical) + 64 ? compatible : canonical;
  const lower = Array.from(forms.replaceAll(leftOut, ''), (letter) => letter.toLowerCase());
  return lower
    .map((letter) => alike.get(letter) ?? letter)
    .join('')
    .replaceAll(blanks, ' ')
    .normalize('NFC');
}

/** A folded text in which apostrophes, dashes and blanks are one, as a search takes them. */
export const loosen = (folded: string): string => folded.replaceAll(/['-]/g, ' ');

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
