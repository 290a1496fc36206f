import { invalidField } from '@tenantry/envelope';
import { foldCase, isCommonPassword } from './common-passwords.ts';

const lengthMax = 128;
const productName = 'tenantry';

/** Whom a password is for: it must not be one of their names. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/** What a new password is held to. */
export interface PasswordRules {
  readonly lengthMin: number;
  /** Where it stands in the request; `password` by default. */
  readonly field?: string | undefined;
}

/**
 * Gives the one spelling under which a password is hashed: keyboards write `é` in two ways. NIST SP 800-63B-4,
 * 3.1.1.2.
 *
 * @throws VALIDATION_ERROR when it is longer than 128 code points; it is never cut.
 */
export function normalizePassword(password: string, field = 'password'): string {
  const normalized = password.normalize('NFKC');
  if (lengthOf(normalized) > lengthMax) {
    const message = `must be at most ${lengthMax} characters`;
    throw invalidField({ field, rule: 'maxLength', params: { limit: lengthMax }, message });
  }
  return normalized;
}

/**
 * Refuses a new password that is too short, or among the first that anyone would try. There are no rules of
 * composition: ASVS 5.0, 6.2.5.
 *
 * @throws VALIDATION_ERROR naming the field.
 */
export function requireAcceptable(password: string, owner: PasswordOwner, rules: PasswordRules): void {
  const { lengthMin, field = 'password' } = rules;
  const normalized = normalizePassword(password, field);
  if (lengthOf(normalized) < lengthMin) {
    const message = `must be at least ${lengthMin} characters`;
    throw invalidField({ field, rule: 'minLength', params: { limit: lengthMin }, message });
  }
  if (isCommonPassword(normalized)) {
    const message = 'is among the most common passwords; choose another';
    throw invalidField({ field, rule: 'common', message });
  }
  if (namesOf(owner).has(foldCase(normalized))) {
    const message = 'must not be your name, your e-mail address or the name of this product';
    throw invalidField({ field, rule: 'personal', message });
  }
}

function namesOf({ email, name }: PasswordOwner): ReadonlySet<string> {
  const localPart = email.slice(0, email.lastIndexOf('@'));
  return new Set([email, localPart, name, name.replaceAll(/\s/g, ''), productName].map(foldCase));
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
