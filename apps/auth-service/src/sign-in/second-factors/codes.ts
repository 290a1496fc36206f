import { tidyBackupCode } from './backup-codes.ts';
import type { CodeProof } from './second-factor.ts';

const totpForm = /^[0-9]{6}$/;

/** Apps show the six digits in two groups. */
export function tidyTotpCode(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** Tidies what may be a code of either kind. */
export function tidyCode(text: string): string {
  const digits = tidyTotpCode(text);
  return totpForm.test(digits) ? digits : tidyBackupCode(text);
}

/** Tells by its form which kind a tidy code is. */
export function proofOf(code: string): CodeProof {
  return { method: totpForm.test(code) ? 'totp' : 'backup-code', code };
}
