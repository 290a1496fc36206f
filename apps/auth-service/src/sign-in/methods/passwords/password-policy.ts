import { invalidField, type ErrorDetail } from '@tenantry/envelope';
import type { User } from '../../../ground/index.ts';
import { foldCase, isCommonPassword } from './common-passwords.ts';

const lengthMax = 128;
/**
 * Longer texts are too long even when normalized: at most four characters, of two units each, become one. Normalizing may take
 * quadratic time.
 */
const unitsMax = 4 * 2 * lengthMax;
const productName = 'tenantry';

declare const normalized: unique symbol;

/** A password in the one form in which it is hashed and compared, of at most 128 code points. */
export type NormalizedPassword = string & { readonly [normalized]: true };

/** The user of a password, whose name and address it must not be. */
export type PasswordOwner = Pick<User, 'email' | 'name'>;

/** What a new password is checked against. */
export interface PasswordRules {
  readonly lengthMin: number;
  /** The field in the request; `password` by default. */
  readonly field?: string | undefined;
}

/**
 * Normalizes a password before hashing: keyboards encode `é` in two ways. NIST SP 800-63B-4, 3.1.1.2.
 *
 * @throws VALIDATION_ERROR when it is longer than 128 code points; it is never cut.
 */
export function normalizePassword(password: string, field?: string): NormalizedPassword {
  const normal = normalizedWithin(password);
  if (normal === undefined) throw invalidField(tooLong(field));
  return normal;
}

/** Undefined if it is too long. */
function normalizedWithin(password: string): NormalizedPassword | undefined {
  if (password.length > unitsMax) return undefined;
  const normal = password.normalize('NFKC');
  return lengthOf(normal) > lengthMax ? undefined : (normal as NormalizedPassword);
}

const tooLong = (field = 'password'): ErrorDetail => ({
  field,
  rule: 'maxLength',
  params: { limit: lengthMax },
  message: `must be at most ${lengthMax} characters`,
});

/**
 * The findings about a new password: too short, too long, or too common. There are no composition rules: ASVS 5.0, 6.2.5.
 */
export function findingOf(
  password: string,
  owner: PasswordOwner,
  rules: PasswordRules,
): ErrorDetail | undefined {
  const normal = normalizedWithin(password);
  return normal === undefined ? tooLong(rules.field) : findingIn(normal, owner, rules);
}

/** A new password that has no findings. @throws VALIDATION_ERROR */
export function acceptPassword(
  password: string,
  owner: PasswordOwner,
  rules: PasswordRules,
): NormalizedPassword {
  const normal = normalizePassword(password, rules.field);
  const finding = findingIn(normal, owner, rules);
  if (finding) throw invalidField(finding);
  return normal;
}

function findingIn(
  normal: NormalizedPassword,
  owner: PasswordOwner,
  { lengthMin, field = 'password' }: PasswordRules,
): ErrorDetail | undefined {
  if (lengthOf(normal) < lengthMin) {
    const message = `must be at least ${lengthMin} characters`;
    return { field, rule: 'minLength', params: { limit: lengthMin }, message };
  }
  if (isCommonPassword(normal)) {
    return { field, rule: 'common', message: 'is among the most common passwords; choose another' };
  }
  if (namesOf(owner).has(foldCase(normal))) {
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
