import { invalidField } from '@tenantry/envelope';

/**
 * What follows the prefix in the VAT numbers of the European Union, Northern Ireland (XI), Great Britain, Norway and
 * Switzerland. https://ec.europa.eu/taxation_customs/vies/#/faq (Q11)
 */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CHE: /^\d{9}(?:MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(?:MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** Other countries: letters and digits, with at least one digit. */
const anyFormat = /^(?=.*\d)[A-Z0-9]{4,20}$/;

/**
 * A VAT number in its stored form: in capitals, without spaces, dots and hyphens. Only its format is checked.
 *
 * @param field what a refusal names
 * @throws VALIDATION_ERROR where no number of its country looks like it.
 */
export function tidyVatNumber(typed: string, field: string): string {
  const number = typed.toUpperCase().replace(/[\s.-]/gu, '');
  const prefix = /^(?:CHE|[A-Z]{2})/.exec(number)?.[0] ?? '';
  const format = formats[prefix];
  if (format ? format.test(number.slice(prefix.length)) : anyFormat.test(number)) return number;
  const message = format
    ? `must be a VAT number as ${prefix} has them`
    : 'must be a VAT number of 4 to 20 letters and digits, with its country code first';
  throw invalidField({ field, rule: 'vatNumber', message });
}
