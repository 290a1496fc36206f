import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * The most common leaked passwords, folded by {@link foldCase}: some 50,000, limited to those that the policy's length allows.
 * ASVS 5.0, 6.2.4 asks for 3,000.
 */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= 8),
);

/** Whether a password, ignoring case, is among the most common. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(foldCase(password));
}

/** One spelling for all cases of a text. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
