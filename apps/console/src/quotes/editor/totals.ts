import { addUp, limits, type AddedUp } from '@tenantry/money';
import type { Language } from '../../design/language.ts';
import { parseDecimal } from '../../design/decimals.ts';
import type { Draft, DraftLine } from './draft.ts';

/** What a quote adds up to as it is typed; what is no number yet counts nothing. */
export function totalsOfDraft(draft: Draft, language: Language): AddedUp {
  const lineOf = ({ quantity, unitPrice }: DraftLine) => ({
    quantity: amountOf(quantity, language, limits.quantity.maximum),
    unitPrice: amountOf(unitPrice, language, limits.unitPrice.maximum),
  });
  return addUp({
    currency: draft.currency,
    vatRate: amountOf(draft.vatRate, language, limits.vatRate.maximum),
    workPackages: draft.packages.map(({ lines }) => ({ items: lines.map(lineOf) })),
  });
}

function amountOf(text: string, language: Language, maximum: number): number {
  const value = parseDecimal(text, language);
  return value !== undefined && value >= 0 && value <= maximum ? value : 0;
}
