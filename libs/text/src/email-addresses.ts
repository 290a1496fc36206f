import { readDomain } from './domains.ts';

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`);
/** RFC 5321, 4.5.3.1: a path of 256 octets includes two angle brackets; a local part has 64. */
const lengthMax = 254;
const localPartLengthMax = 64;

/**
 * Reads an e-mail address (RFC 5321, dot-string at domain) in the form in which it is stored: trimmed, with an international
 * domain as A-labels. Undefined if it is none, in linear time.
 *
 * The local part is ASCII. Nothing is folded into it: U+212A is not the letter k.
 *
 * @example readEmail('max@müller-dach.example'); // 'max@xn--mller-dach-9db.example'
 */
export function readEmail(text: string): string | undefined {
  const { local, domain } = partsOf(text.trim());
  if (local.length > localPartLengthMax || !localPart.test(local)) return undefined;
  const stored = readDomain(domain);
  if (stored === undefined || local.length + 1 + stored.length > lengthMax) return undefined;
  return `${local}@${stored}`;
}

/** Lower-cases ASCII letters alone, as accounts have their addresses: other letters must not become ASCII ones. */
export const lowerAscii = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether what stands before the `@` has other than ASCII characters: mail to it would need SMTPUTF8 on its whole way. */
export const hasForeignLocalPart = (text: string): boolean => /[^\0-\x7f]/.test(partsOf(text.trim()).local);

function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}
