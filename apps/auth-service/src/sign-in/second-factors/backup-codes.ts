import { hash, randomBytes } from 'node:crypto';

/** Crockford's base32: no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 120 bits, so that a plain digest is enough to store one. ASVS 5.0, 6.5.2. */
const length = 24;
const groups = /.{6}(?=.)/g;
const count = 10;

/** What a code looks like, as a pattern for schemas. */
export const backupCodePattern = '[0-9A-HJKMNP-TV-Z]{6}(-[0-9A-HJKMNP-TV-Z]{6}){3}';

/** Makes a set of codes as they are shown, in groups of six. */
export function newBackupCodes(): string[] {
  return Array.from({ length: count }, newBackupCode);
}

/** Normalizes a code as people type it. */
export function tidyBackupCode(text: string): string {
  const bare = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return bare.replaceAll('O', '0').replaceAll(/[IL]/g, '1').replaceAll(groups, '$&-');
}

/** The stored digest of a code. */
export function hashBackupCode(code: string): Buffer {
  return hash('sha256', tidyBackupCode(code), 'buffer');
}

function newBackupCode(): string {
  // A byte modulo 32 is as random as the byte.
  const code = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
  return code.replaceAll(groups, '$&-');
}
