import { randomInt } from 'node:crypto';
import type { SecretRing } from '../../../ground/index.ts';

const digits = 8;

/** A code as it is typed: right once in a hundred million guesses. */
export function newMailedCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0');
}

/** In two groups, as it appears in the letter. */
export function groupedCode(code: string): string {
  return `${code.slice(0, digits / 2)} ${code.slice(digits / 2)}`;
}

/** Normalizes a code as people type it. */
export function tidyMailedCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

/** The stored digest of a code: keyed, because all codes can be tried in a second. */
export function hashMailedCode(code: string, id: string, secrets: SecretRing): Buffer {
  return secrets.current.mac('mailed-code', `${id}:${code}`);
}

/** Whether a code is the stored one, also where AUTH_SECRET was rotated meanwhile. */
export function matchesMailedCode(
  code: string,
  { id, codeHash }: { readonly id: string; readonly codeHash: Buffer },
  secrets: SecretRing,
): boolean {
  return secrets.findByMac(codeHash, 'mailed-code', `${id}:${code}`) !== undefined;
}
