import { invalidField } from '@tenantry/envelope';
import { isQuotable, quotableMessage } from '@tenantry/money';
import type { OrganizationSettings } from '../settings/organization-settings.ts';
import type { NewQuote, Quote, QuoteChanges, QuoteContent } from './quote.ts';
import { bytesOf, type TextChange } from './quote-text.ts';
import { readValidUntil, standardValidity } from './validity.ts';

/**
 * The content of a new quote, with the organization's settings as defaults.
 *
 * @throws VALIDATION_ERROR naming the invalid field.
 */
export function contentOf(quote: NewQuote, settings: OrganizationSettings, now: Date): QuoteContent {
  const { title, description = '', currency = settings.currency, validUntil } = quote;
  const { vatRate = settings.vatRate, vatExemptionReason = null } = quote;
  requireQuotable(currency);
  requireNoVat({ vatRate, vatExemptionReason });
  const until =
    validUntil === undefined
      ? standardValidity(now, settings.timeZone)
      : readValidUntil(validUntil, settings.timeZone);
  return { title, description, currency, vatRate, vatExemptionReason, validUntil: until };
}

/**
 * The content of a draft after a change.
 *
 * @throws VALIDATION_ERROR naming the invalid field.
 */
export function changedContent(
  quote: Quote,
  {
    validUntil: until = new Date(quote.validUntil),
    ...changes
  }: Omit<QuoteChanges, 'customerId' | 'validUntil'> & { readonly validUntil: Date | undefined },
): QuoteContent {
  const { title, description, currency, vatRate, vatExemptionReason } = { ...quote, ...changes };
  requireQuotable(currency);
  requireNoVat({ vatRate, vatExemptionReason });
  return { title, description, currency, vatRate, vatExemptionReason, validUntil: until };
}

/** The additional text of a draft after a change. */
export function textChangeOf(quote: Quote, content: QuoteContent): TextChange {
  const bytes = (of: Pick<Quote, 'title' | 'description' | 'vatExemptionReason'>) =>
    bytesOf(of.title, of.description, of.vatExemptionReason);
  return { bytes: bytes(content) - bytes(quote), field: 'description' };
}

/** Amounts are kept with two decimals. */
function requireQuotable(currency: string): void {
  if (isQuotable(currency)) return;
  throw invalidField({ field: 'currency', rule: 'currency', message: quotableMessage });
}

/** A reason for charging no VAT requires a rate of 0. */
function requireNoVat({ vatRate, vatExemptionReason }: Pick<QuoteContent, 'vatRate' | 'vatExemptionReason'>) {
  if (vatExemptionReason === null || vatRate === 0) return;
  const message = 'says why no VAT is charged, and needs a vatRate of 0';
  throw invalidField({ field: 'vatExemptionReason', rule: 'vatExemption', message });
}
