import { decoded, readDomain } from './domains.ts';

/** Scripts that may stand together in a label: UTS 39, highly restrictive. */
const together = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...[
    'Greek',
    'Cyrillic',
    'Armenian',
    'Georgian',
    'Hebrew',
    'Arabic',
    'Ethiopic',
    'Thaana',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Thai',
    'Lao',
    'Tibetan',
    'Myanmar',
    'Khmer',
  ].map((script) => [script]),
].map((scripts) => {
  const letters = [...scripts, 'Common', 'Inherited'].map((script) => `\\p{Script=${script}}`);
  return new RegExp(`^[${letters.join('')}]+$`, 'u');
});

/** A Cyrillic or Greek label of nothing but letters that look Latin. */
const looksLatin = /^[асԁеһіјӏорԛѕԝхуοντυκ\d-]*$/u;
const ascii = /^[\0-\x7f]*$/;

/**
 * An e-mail address as people write it: with its domain as {@link shownDomain} has it.
 *
 * @example shownEmail('max@xn--mller-dach-9db.example'); // 'max@müller-dach.example'
 */
export function shownEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + shownDomain(email.slice(at));
}

/**
 * A domain as people write it, with international labels in their own script. A domain that could be taken for another one,
 * because a label mixes scripts or looks Latin and is not, stays as it is stored.
 *
 * @example shownDomain('xn--mller-dach-9db.example'); // 'müller-dach.example'
 */
export function shownDomain(domain: string): string {
  if (!/xn--/i.test(domain)) return domain;
  const written = decoded(domain);
  if (written === undefined || readDomain(written) !== domain.toLowerCase()) return domain;
  return written.split('.').every(isClear) ? written : domain;
}

const isClear = (label: string): boolean =>
  ascii.test(label) || (together.some((letters) => letters.test(label)) && !looksLatin.test(label));
