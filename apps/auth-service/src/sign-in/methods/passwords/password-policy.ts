import { invalidField, type ErrorDetail } from '@tenantry/envelope';
import { foldCase, isCommonPassword } from './common-passwords.ts';

const lengthMax = 128;
/**
 * No longer text is as short once it is normalized: at most four characters, of two units each, become one. Normalizing one may take
 * time that grows with the square of its length.
 */
const unitsMax = 4 * 2 * lengthMax;
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
  const normalized = normalizedWithin(password);
  if (normalized === undefined) throw invalidField(tooLong(field));
  return normalized;
}

/** Undefined where it is too long. */
function normalizedWithin(password: string): string | undefined {
  if (password.length > unitsMax) return undefined;
  const normalized = password.normalize('NFKC');
  return lengthOf(normalized) > lengthMax ? undefined : normalized;
}

const tooLong = (field: string): ErrorDetail => ({
  field,
  rule: 'maxLength',
  params: { limit: lengthMax },
  message: `must be at most ${lengthMax} characters`,
});

/**
 * Says what is wrong with a new password: too short, too long, or among the first that anyone would try. There are no rules
 * of composition: ASVS 5.0, 6.2.5.
 */
export function findingOf(
  password: string,
  owner: PasswordOwner,
  { lengthMin, field = 'password' }: PasswordRules,
): ErrorDetail | undefined {
  const normalized = normalizedWithin(password);
  if (normalized === undefined) return tooLong(field);
  if (lengthOf(normalized) < lengthMin) {
    const message = `must be at least ${lengthMin} characters`;
    return { field, rule: 'minLength', params: { limit: lengthMin }, message };
  }
  if (isCommonPassword(normalized)) {
    return { field, rule: 'common', message: 'is among the most common passwords; choose another' };
  }
  if (namesOf(owner).has(foldCase(normalized))) {
    const message = 'must not be your name, your e-mail address or the name of this product';
    return { field, rule: 'personal', message };
  }
  return undefined;
}

function namesOf({ email, name }: PasswordOwner): ReadonlySet<string> {
  const localPart = email.slice(0, email.lastIndexOf('@'));
  const names = [email, localPart, name, name.replaceAll(/\s/g, ''), productName];
  return new Set(names.filter(({ length }) => length <= unitsMax).map(foldCase));
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
