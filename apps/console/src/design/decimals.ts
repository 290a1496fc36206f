import type { Language } from './language.ts';

/** What separates the decimals, and what groups of three digits, in the numbers of a language. */
const separators: Readonly<Record<Language, Record<'decimal' | 'group', '.' | ','>>> = {
  en: { decimal: '.', group: ',' },
  sv: { decimal: ',', group: '.' },
};

/** Digits in groups of three, as `1,234,567`; the separator is doubled in a class, which does no harm. */
const grouped = { ',': /^\d{1,3}(?:,\d{3})+$/, '.': /^\d{1,3}(?:\.\d{3})+$/ };

/**
 * Reads a number as somebody writes it: with the decimal separator of their language, or with the other one where it cannot
 * mean groups. Blanks and apostrophes between digits group them; a currency or a percent sign beside them is left out.
 *
 * @returns undefined where the text is no number
 * @example parseDecimal('1 234,50', 'sv') // 1234.5
 */
export function parseDecimal(text: string, language: Language): number | undefined {
  const bare = text
    .normalize('NFKC')
    .replaceAll(/[\s'’]/g, '')
    .replace(/^(?:[A-Z]{3}|kr\.?|\p{Sc})/u, '')
    .replace(/(?:[A-Z]{3}|kr\.?|\p{Sc}|:-|%)$/u, '')
    .replace('\u2212', '-');
  const plain = withPoint(bare, language);
  return plain !== undefined && /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** The same number with a point before its decimals and no groups. */
function withPoint(text: string, language: Language): string | undefined {
  const { decimal, group } = separators[language];
  const marks = text.replaceAll(/[^.,]/g, '');
  if (marks === '') return text;
  if (marks.includes('.') && marks.includes(',')) {
    // The last one is before the decimals, whatever language the number was copied from.
    const last = marks.at(-1) ?? '';
    const [whole = '', decimals = '', ...more] = text.split(last);
    const other = last === '.' ? ',' : '.';
    return more.length > 0 || !grouped[other].test(unsigned(whole))
      ? undefined
      : `${whole.replaceAll(other, '')}.${decimals}`;
  }
  const isGroup = (mark: '.' | ',') => grouped[mark].test(unsigned(text));
  if (marks.length > 1) {
    const mark = marks[0] as '.' | ',';
    return isGroup(mark) ? text.replaceAll(mark, '') : undefined;
  }
  // `1,234` is a thousand in English; `1.234` is no thousand in Swedish, which groups by blanks.
  if (marks === group && language === 'en' && isGroup(',')) return text.replace(',', '');
  return text.replace(marks === decimal ? decimal : group, '.');
}

/**
 * Whether a text could mean two numbers: one mark before three digits, which groups in one language and separates in the other.
 *
 * @example isAmbiguous('12,345', 'en') // true: 12 345, or 12.345 as others write it
 */
export function isAmbiguous(text: string, language: Language): boolean {
  const { group } = separators[language];
  const bare = unsigned(text.normalize('NFKC').replaceAll(/[^\d.,-]/g, ''));
  return bare.replaceAll(/\d/g, '') === group && grouped[group].test(bare);
}

const unsigned = (text: string): string => text.replace(/^-/, '');

/**
 * Writes a number with the decimal separator of a language, and without groups: as it is typed.
 *
 * @example formatDecimal(1234.5, 'sv') // '1234,5'
 */
export function formatDecimal(value: number, language: Language): string {
  return String(value).replace('.', separators[language].decimal);
}

/** How many decimals a number has; exact for all that quotes hold. */
export function decimalsOf(value: number): number {
  const [, decimals = ''] = String(value).split('.');
  return decimals.length;
}
