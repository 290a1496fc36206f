import { lowerAscii, readEmail } from '@tenantry/text';

/** An address as a mail program writes it, `Ada <ada@example.com>`, or alone. */
const bracketed = /<([^<>]+)>/;

/**
 * The addresses in a text that somebody typed or pasted: separated by commas, semicolons, spaces or lines, with names or
 * without. Each is given once, in the order of the text; whether it can be mailed is judged by who mails.
 */
export function addressesIn(text: string): readonly string[] {
  const found = new Map<string, string>();
  for (const entry of text.split(/[\n\r,;]+/)) {
    const [, inBrackets] = bracketed.exec(entry) ?? [];
    const words = inBrackets === undefined ? entry.split(/\s+/) : [inBrackets.trim()];
    for (const word of words)
      if (word !== '' && !found.has(addressKey(word))) found.set(addressKey(word), word);
  }
  return [...found.values()];
}

/** What addresses are compared by: an account has the same one, however its letters and its domain are written. */
export function addressKey(email: string): string {
  const lower = lowerAscii(email);
  return readEmail(lower) ?? lower;
}
