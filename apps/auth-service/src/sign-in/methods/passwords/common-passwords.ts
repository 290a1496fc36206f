import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * The most common passwords as leaks show them, folded as {@link foldCase} does: some 50,000, of which only those
 * matter that are long enough to be tried at all. ASVS 5.0, 6.2.4 asks for 3,000.
 */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= 8),
);

/** Whether a password, compared whole and without regard to case, is among the first an attacker tries. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(foldCase(password));
}

/** One spelling for all cases of a text. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
