import { invalidField } from '@tenantry/envelope';
import { timeZoneNamed } from '@tenantry/service/resources';

/**
 * The name of a time zone in its own spelling.
 *
 * @throws VALIDATION_ERROR naming the field.
 */
export function tidyTimeZone(name: string, field: string): string {
  const timeZone = timeZoneNamed(name);
  if (timeZone !== undefined) return timeZone;
  const message = 'must be the IANA name of a time zone, such as Europe/Stockholm';
  throw invalidField({ field, rule: 'timeZone', message });
}

/**
 * A language tag in its canonical form.
 *
 * @throws VALIDATION_ERROR naming the field.
 */
export function tidyLanguage(tag: string, field: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    if (canonical !== undefined) return canonical;
  } catch {
    // A RangeError: it is no tag.
  }
  const message = 'must be a BCP 47 language tag, such as sv or en-GB';
  throw invalidField({ field, rule: 'language', message });
}
