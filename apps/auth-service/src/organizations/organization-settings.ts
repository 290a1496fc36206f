import { invalidField } from '@tenantry/envelope';
import { isQuotable, quotableMessage } from '@tenantry/money';
import { tidyVatNumber } from '@tenantry/service/resources';
import type { Static } from 'typebox';
import { tidyTimeZone } from '../ground/index.ts';
import type { OrganizationSettingsSchema } from './organizations.schemas.ts';
import { requireCountry } from './postal-address.ts';

/** The settings of an organization for its members and quotes. */
export type OrganizationSettings = Readonly<Static<typeof OrganizationSettingsSchema>>;

/** Settings to change; omitted ones are unchanged, and null clears. */
export type SettingsChanges = {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | undefined;
};

/** The initial settings, apart from the currency. */
export const standardSettings = {
  vatRate: 25,
  quoteNumberPrefix: 'Q',
  requireTwoFactor: false,
  timeZone: 'UTC',
  address: null,
  vatNumber: null,
} as const satisfies Omit<OrganizationSettings, 'defaultCurrency'>;

/**
 * Checks what a schema cannot, and brings a time zone and a VAT number into the form in which they are kept.
 *
 * @throws VALIDATION_ERROR naming the field.
 */
export function acceptableSettings(changes: SettingsChanges): SettingsChanges {
  const { defaultCurrency, timeZone, address, vatNumber } = changes;
  if (defaultCurrency !== undefined && !isQuotable(defaultCurrency)) {
    throw invalidField({ field: 'settings.defaultCurrency', rule: 'currency', message: quotableMessage });
  }
  if (address) requireCountry(address.country);
  return {
    ...changes,
    ...(timeZone !== undefined && { timeZone: tidyTimeZone(timeZone, 'settings.timeZone') }),
    ...(vatNumber && { vatNumber: tidyVatNumber(vatNumber, 'settings.vatNumber') }),
  };
}
