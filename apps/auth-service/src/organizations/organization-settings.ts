import { invalidField } from '@tenantry/envelope';
import { isCurrency } from '@tenantry/money';

/** What an organization decides for its members and its quotes. */
export interface OrganizationSettings {
  /** ISO 4217. */
  readonly defaultCurrency: string;
  /** Percent, at most two decimals. */
  readonly vatRate: number;
  /** What quote numbers begin with, as in Q-2026-0001. */
  readonly quoteNumberPrefix: string;
  /** Members without a second factor get no token for the organization. */
  readonly requireTwoFactor: boolean;
}

/** Settings to change; omitted ones are unchanged. */
export type SettingsChanges = {
  readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | undefined;
};

/** The VAT rate of an organization that has not chosen one. */
export const standardVatRate = 25;
export const standardQuoteNumberPrefix = 'Q';

/**
 * Checks what a schema cannot.
 *
 * @throws VALIDATION_ERROR naming the field.
 */
export function requireAcceptableSettings({ defaultCurrency }: SettingsChanges): void {
  if (defaultCurrency !== undefined && !isCurrency(defaultCurrency)) {
    const message = 'must be the ISO 4217 code of a currency in use, such as EUR';
    throw invalidField({ field: 'settings.defaultCurrency', rule: 'currency', message });
  }
}
