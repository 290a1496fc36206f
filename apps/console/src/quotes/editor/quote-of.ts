import type { api } from '@tenantry/client';
import { dayIn, lastMoment } from '../days.ts';
import { parseDecimal } from '../../design/decimals.ts';
import { isBlank, isUnused, type Draft, type DraftReading } from './draft.ts';
import { totalsOfDraft } from './totals.ts';

/** A quote as it would be if it were saved as it is typed; what is no number yet counts nothing. */
export function quoteOf(quote: api.Quote, draft: Draft, { language, timeZone }: DraftReading): api.Quote {
  const typed = typedOf(draft);
  const { workPackages, ...totals } = totalsOfDraft({ ...draft, packages: typed }, language);
  const numberOf = (text: string) => parseDecimal(text, language) ?? 0;
  const { customer, title, description, validUntil, currency, vatRate, vatExemptionReason } = draft;
  const isOtherDay = validUntil !== '' && validUntil !== dayIn(timeZone, quote.validUntil);
  return {
    ...quote,
    ...totals,
    title,
    description,
    currency,
    customerId: customer.id,
    customerName: customer.name,
    customerEmail: customer.email || null,
    // Of another customer, the draft knows no more until it is saved.
    ...(customer.id !== quote.customerId && { customerAddress: null, customerVatNumber: null }),
    validUntil: isOtherDay ? lastMoment(validUntil, timeZone).toISOString() : quote.validUntil,
    vatRate: numberOf(vatRate),
    vatExemptionReason: vatExemptionReason || null,
    workPackages: typed.map(({ key, id = key, lines, ...one }, at) => ({
      id,
      name: one.name,
      description: one.description,
      subtotal: workPackages[at]?.subtotal ?? 0,
      items: lines.map(({ key: lineKey, id: lineId = lineKey, ...line }, index) => ({
        ...line,
        id: lineId,
        totalPrice: workPackages[at]?.items[index]?.totalPrice ?? 0,
        quantity: numberOf(line.quantity),
        unitPrice: numberOf(line.unitPrice),
      })),
    })),
  };
}

/** The packages and lines into which something was typed. */
const typedOf = ({ packages }: Draft): Draft['packages'] =>
  packages
    .filter((one) => !isUnused(one))
    .map((one) => ({ ...one, lines: one.lines.filter((line) => !isBlank(line)) }));
