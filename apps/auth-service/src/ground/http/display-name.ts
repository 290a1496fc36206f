import { invalidField } from '@tenantry/envelope';

/**
 * Names are shown on one line, in mails, lists and tokens: anything may stand in them but control characters.
 *
 * @throws VALIDATION_ERROR naming the field.
 */
export function requireDisplayable(field: string, text: string): void {
  if (/\p{Cc}/u.test(text)) {
    throw invalidField({ field, rule: 'text', message: 'must not contain control characters' });
  }
}
